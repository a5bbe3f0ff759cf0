"""What readers of models and conversions share on their way to the nn dialect."""
