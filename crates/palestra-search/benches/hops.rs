//! Distances on a large Bandera map: hops from one flag to all cells of 100x100, and what the guides compute on it when
//! they are made. The original took up to half a second for the hops.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use palestra_games::Game;
use palestra_games::bandera::{Bandera, BanderaOptions, MapPlan, Tile, generate};
use palestra_search::bandera::{Ground, Races, Waytracking};

fn hops(criterion: &mut Criterion) {
    let map = generate(1, MapPlan { rows: 100, cols: 100, team_size: 8 }).expect("a map of this size");
    let start = Bandera::new(&BanderaOptions::from_map(map));
    let flag = start.tiles().position(|tile| tile == Tile::Flag).expect("a flag") as u16;
    let ground = Ground::new(&start);
    let mut group = criterion.benchmark_group("100x100");
    group.sample_size(20);
    group.bench_function("hops of a flag", |b| b.iter(|| ground.hops(black_box([flag]))));
    group.bench_function("waytracking made", |b| b.iter(|| Waytracking::new(black_box(&start))));
    group.bench_function("strong made", |b| b.iter(|| Races::new(black_box(&start))));
}

criterion_group!(benches, hops);
criterion_main!(benches);
