"""Tables and pictures from results. Imports nothing of ours but its own."""
