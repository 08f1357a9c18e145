// Alpha-beta for any board game, with killer moves, for the seminar on search.
package lotes;

import java.util.ArrayList;
import java.util.List;

public final class Lotes {
    private static final int MAX_PLY = 64;
    private final int[][] killers = new int[MAX_PLY][2];
    private final long[][] history = new long[2][64];
    private long deadline;
    private boolean stopped;

    public interface Position {
        List<Integer> moves();

        Position play(int move);

        int evaluate();

        boolean isOver();

        int side();
    }

    public int think(Position root, long millis) {
        deadline = System.nanoTime() + millis * 1_000_000L;
        stopped = false;
        int best = root.moves().get(0);
        for (int depth = 1; depth < MAX_PLY && !stopped; depth++) {
            int alpha = -30000;
            int candidate = best;
            for (int move : ordered(root, 0)) {
                int value = valueAfter(root, move, depth, alpha, 30000, 0);
                if (stopped) {
                    break;
                }
                if (value > alpha) {
                    alpha = value;
                    candidate = move;
                }
            }
            if (!stopped) {
                best = candidate;
            }
        }
        return best;
    }

    private int valueAfter(Position position, int move, int depth, int alpha, int beta, int ply) {
        Position next = position.play(move);
        if (next.side() == position.side()) {
            return search(next, depth - 1, alpha, beta, ply + 1);
        }
        return -search(next, depth - 1, -beta, -alpha, ply + 1);
    }

    private int search(Position position, int depth, int alpha, int beta, int ply) {
        if (System.nanoTime() > deadline) {
            stopped = true;
        }
        if (stopped || depth <= 0 || position.isOver() || ply >= MAX_PLY - 1) {
            return position.evaluate();
        }
        int best = Integer.MIN_VALUE + 1;
        for (int move : ordered(position, ply)) {
            int value = valueAfter(position, move, depth, alpha, beta, ply);
            best = Math.max(best, value);
            alpha = Math.max(alpha, value);
            if (alpha >= beta) {
                remember(position.side(), move, depth, ply);
                break;
            }
        }
        return best;
    }

    private void remember(int side, int move, int depth, int ply) {
        history[side][move] += (long) depth * depth;
        if (killers[ply][0] != move) {
            killers[ply][1] = killers[ply][0];
            killers[ply][0] = move;
        }
    }

    private List<Integer> ordered(Position position, int ply) {
        List<Integer> moves = new ArrayList<>(position.moves());
        moves.sort((a, b) -> Long.compare(weight(position, b, ply), weight(position, a, ply)));
        return moves;
    }

    private long weight(Position position, int move, int ply) {
        if (killers[ply][0] == move) {
            return Long.MAX_VALUE;
        }
        if (killers[ply][1] == move) {
            return Long.MAX_VALUE - 1;
        }
        return history[position.side()][move];
    }
}
