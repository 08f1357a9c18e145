"""Random games of Mancala: OpenSpiel and ours in turn. openspiel.sh installs what this needs and runs it."""

import statistics
import subprocess
import sys
import time

import pyspiel

GAMES = 20_000
OUR_GAMES = 300_000
GOAL = 7


def theirs(game, seed):
    # A tree search of one simulation only asks what the root is worth: all of its rollouts are played in C++, and
    # Python costs nothing.
    evaluator = pyspiel.RandomRolloutEvaluator(GAMES, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 16, False, seed, False)
    begun = time.process_time()
    bot.mcts_search(game.new_initial_state())
    return GAMES / (time.process_time() - begun)


def ours(bench):
    return float(subprocess.run([bench, "--games", str(OUR_GAMES)], check=True, capture_output=True).stdout)


def main(bench, rounds):
    game = pyspiel.load_game("mancala")
    pairs = [(theirs(game, seed), ours(bench)) for seed in range(rounds)]
    for name, speeds in zip(("OpenSpiel", "Palestra"), zip(*pairs)):
        print(f"{name:<10} {statistics.median(speeds):>12,.0f} random games of Mancala a CPU second")
    ratio = statistics.median(own / other for other, own in pairs)
    print(f"ratio {ratio:.1f} (goal >= {GOAL}: {'met' if ratio >= GOAL else 'MISSED'})")


main(sys.argv[1], int(sys.argv[2]))
