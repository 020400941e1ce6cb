"""Ways to play the blocks of a plan: threads here, or a cluster."""
