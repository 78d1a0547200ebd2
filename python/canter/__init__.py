"""Character animation for NumPy."""
