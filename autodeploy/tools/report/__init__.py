"""``autodeploy report``: one page about a bundle, with nothing that it loads from elsewhere."""
