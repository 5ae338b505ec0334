//! Which old thing is which new one.

/// Pairs of positions, by rules that are tried one after the other: what an earlier rule has paired
/// is not seen by later ones. Every rule is asked for each old and each new thing in order.
pub(super) fn pairs(
    old: usize,
    new: usize,
    rules: &[&dyn Fn(usize, usize) -> bool],
) -> Vec<(usize, usize)> {
    let mut of_old: Vec<Option<usize>> = vec![None; old];
    let mut taken = vec![false; new];
    for rule in rules {
        for (i, slot) in of_old.iter_mut().enumerate().filter(|(_, s)| s.is_none()) {
            *slot = (0..new).find(|j| !taken[*j] && rule(i, *j));
            if let Some(j) = *slot {
                taken[j] = true;
            }
        }
    }
    of_old.into_iter().enumerate().filter_map(|(i, j)| Some((i, j?))).collect()
}

/// What of `0..count` no pair names on its side.
pub(super) fn rest(count: usize, named: impl Iterator<Item = usize>) -> Vec<usize> {
    let named: std::collections::BTreeSet<usize> = named.collect();
    (0..count).filter(|i| !named.contains(i)).collect()
}

/// Whether the pairs stand in another order than before.
pub(super) fn reordered(pairs: &[(usize, usize)]) -> bool {
    let mut sorted = pairs.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|w| w[0].1 > w[1].1)
}

/// An operation without the names of the parameters in its path.
pub(super) fn erased(operation: &str) -> String {
    let mut out = String::with_capacity(operation.len());
    let mut inside = false;
    for c in operation.chars() {
        match c {
            '{' => {
                inside = true;
                out.push_str("{}");
            }
            '}' => inside = false,
            // A brace that nothing closes ends with its part of the path.
            '/' => {
                inside = false;
                out.push('/');
            }
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out
}
