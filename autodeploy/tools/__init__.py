"""Command-line tools: ``autodeploy-opt`` runs passes, ``autodeploy`` goes the whole way."""
