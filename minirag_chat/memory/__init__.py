"""``ChatMemory``, the only thing that the faces call, and its parts."""
