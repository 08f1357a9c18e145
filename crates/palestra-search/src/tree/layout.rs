//! Where the nodes of a tree go in a picture: a tidy drawing, after Reingold and Tilford. Nothing overlaps, a parent stands
//! over the middle of what is below it, and equal subtrees are drawn alike.

/// What a node of the tree, or a branch that was cut off, needs for its place.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// How far it reaches to the left and to the right of its middle.
    pub(super) reach: (f64, f64),
    /// The items below it, from left to right.
    pub(super) below: Vec<usize>,
}

/// What a subtree covers on each level, from its root on, seen from the middle of its root.
type Contour = Vec<(f64, f64)>;

/// The middles of all items, the leftmost edge being 0; and how wide all is. The first item is the root, and each comes
/// before those below it.
pub(super) fn place(items: &[Item]) -> (Vec<f64>, f64) {
    let mut offsets = vec![0.0; items.len()];
    let mut contours: Vec<Contour> = vec![Contour::new(); items.len()];
    for (index, item) in items.iter().enumerate().rev() {
        let below: Vec<Contour> = item.below.iter().map(|&child| std::mem::take(&mut contours[child])).collect();
        contours[index] = join(item, below, &mut offsets);
    }
    let root = &contours[0];
    let left = root.iter().map(|&(left, _)| left).fold(0.0, f64::min);
    let right = root.iter().map(|&(_, right)| right).fold(0.0, f64::max);
    let mut middles = vec![-left; items.len()];
    for (index, item) in items.iter().enumerate() {
        for &child in &item.below {
            middles[child] = middles[index] + offsets[child];
        }
    }
    (middles, right - left)
}

/// Puts the subtrees below an item side by side, as close as they go, and the item over their middle.
fn join(item: &Item, below: Vec<Contour>, offsets: &mut [f64]) -> Contour {
    let mut placed: Contour = Vec::new();
    let mut middles = Vec::new();
    for contour in &below {
        let gaps = placed.iter().zip(contour).map(|(&(_, right), &(left, _))| right - left);
        let middle = gaps.fold(f64::NEG_INFINITY, f64::max);
        let middle = if middle.is_finite() { middle } else { 0.0 };
        for (level, &(left, right)) in contour.iter().enumerate() {
            match placed.get_mut(level) {
                Some(known) => known.1 = middle + right,
                None => placed.push((middle + left, middle + right)),
            }
        }
        middles.push(middle);
    }
    let centre = middles.first().zip(middles.last()).map_or(0.0, |(first, last)| f64::midpoint(*first, *last));
    for (&child, middle) in item.below.iter().zip(middles) {
        offsets[child] = middle - centre;
    }
    let (left, right) = item.reach;
    let levels = placed.into_iter().map(|(left, right)| (left - centre, right - centre));
    std::iter::once((-left, right)).chain(levels).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn item(reach: f64, below: &[usize]) -> Item {
        Item { reach: (reach, reach), below: below.to_vec() }
    }

    #[test]
    fn leaves_are_evenly_spaced_and_parents_centred() {
        let items = [item(1.0, &[1, 2]), item(1.0, &[3, 4, 5]), item(1.0, &[6]), item(2.0, &[]), item(2.0, &[])];
        let items = [&items[..], &[item(2.0, &[]), item(2.0, &[])]].concat();
        let (middles, width) = place(&items);
        assert_eq!(middles, [10.0, 6.0, 14.0, 2.0, 6.0, 10.0, 14.0]);
        assert_eq!(width, 16.0);
    }

    /// Deep subtrees to the left and to the right of shallow ones: nothing may touch on any level.
    #[test]
    fn nothing_overlaps_in_random_trees() {
        for seed in 0..200 {
            let mut random = Rng::new(seed);
            let mut items = vec![item(1.0, &[])];
            let mut levels = vec![0];
            for index in 1..2 + random.below(60) {
                let parent = random.below(index);
                items.push(item(1.0 + random.below(5) as f64, &[]));
                items[parent].below.push(index);
                levels.push(levels[parent] + 1);
            }
            let (middles, width) = place(&items);
            for first in 0..items.len() {
                let (left, right) = (middles[first] - items[first].reach.0, middles[first] + items[first].reach.1);
                assert!(left >= -1e-9 && right <= width + 1e-9, "within the picture");
                for second in first + 1..items.len() {
                    let apart = items[first].reach.0 + items[second].reach.0;
                    let is_free = (middles[first] - middles[second]).abs() >= apart - 1e-9;
                    assert!(levels[first] != levels[second] || is_free, "{first} and {second} of seed {seed}");
                }
            }
        }
    }
}
