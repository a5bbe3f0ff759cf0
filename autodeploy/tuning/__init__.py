"""The search for configs: tasks, candidates and their measurement, tuners, confirmation."""
