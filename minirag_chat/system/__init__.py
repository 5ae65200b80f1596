"""What is asked of the system: paths, private folders, a passphrase, how the program was installed."""
