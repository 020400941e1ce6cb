from kernels.boats.strategies import random
STRATEGIES = {"random": random}
