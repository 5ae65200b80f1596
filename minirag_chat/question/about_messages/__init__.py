"""Questions about the messages themselves: how many, who most, when last. ``metadata.py`` plans them."""
