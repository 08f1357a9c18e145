//! Groups of programs that are alike: the connected components of the graph of pairs.

use super::compare::Pair;

/// The groups of two or more programs that are connected by these pairs; `programs` is the number of all; the largest first.
#[must_use]
pub fn clusters<'a>(programs: usize, pairs: impl IntoIterator<Item = &'a Pair>) -> Vec<Vec<usize>> {
    let mut parents: Vec<usize> = (0..programs).collect();
    for pair in pairs {
        let [one, other] = pair.programs.map(|program| root(&mut parents, program));
        parents[one.max(other)] = one.min(other);
    }
    let mut groups: Vec<Vec<usize>> = vec![vec![]; programs];
    for program in 0..programs {
        groups[root(&mut parents, program)].push(program);
    }
    groups.retain(|group| group.len() > 1);
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

/// The program that stands for a program's group; the way to it gets shorter.
fn root(parents: &mut [usize], mut program: usize) -> usize {
    while parents[program] != program {
        parents[program] = parents[parents[program]];
        program = parents[program];
    }
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_connected_is_one_group() {
        let pair = |programs| Pair { programs, shared: 9, shares: [0.5, 0.5] };
        let pairs = [[4, 5], [0, 2], [6, 7], [2, 6], [5, 4]].map(pair);
        assert_eq!(clusters(9, &pairs), [vec![0, 2, 6, 7], vec![4, 5]]);
        assert_eq!(clusters(3, &[]), Vec::<Vec<usize>>::new());
    }
}
