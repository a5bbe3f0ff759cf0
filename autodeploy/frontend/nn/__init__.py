"""Code that readers of models and conversions to the nn dialect share."""
