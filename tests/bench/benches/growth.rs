//! Each stage by the size of the document, with the exponent of its growth: 1 is linear.

#![expect(clippy::print_stdout, reason = "the exponents are part of what is measured")]

use std::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mcp_gen::codegen::Options;
use mcp_gen::config::Config;
use mcp_gen::diagnostic::Diagnostics;
use mcp_gen::ir::Api;
use mcp_gen::pipeline;
use mcp_gen::plan::Plan;
use mcp_gen::source::{Source, Sources};

const SIZES: [usize; 3] = [1_000, 2_000, 4_000];

fn read(text: &str) -> Api {
    let source = Source { name: "synthetic.yaml".to_owned(), text: text.to_owned() };
    pipeline::read(&mut Diagnostics::default(), &mut Sources::default(), source)
        .expect("the document is ours")
}

fn plan(api: &Api) -> Plan {
    pipeline::plan(&mut Diagnostics::default(), api, &Config::default(), None)
        .expect("the plan is ours")
}

fn emit(api: &Api, plan: &Plan) {
    let options = Options::default();
    black_box(pipeline::generate(&mut Diagnostics::default(), plan, api, &options));
}

/// Seconds of the fastest of three runs.
fn seconds(mut run: impl FnMut()) -> f64 {
    let one = |()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    [(); 3].map(one).into_iter().fold(f64::INFINITY, f64::min)
}

/// Growth between the smallest and the largest size.
fn exponent(times: &[f64]) -> f64 {
    (times[times.len() - 1] / times[0]).log2() / 2.0
}

fn stages(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stages");
    group.sample_size(10);
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for size in SIZES {
        let text = mcp_gen_bench::document(size);
        let api = read(&text);
        let made = plan(&api);
        group.throughput(Throughput::Elements(size as u64));
        group.bench_function(BenchmarkId::new("read", size), |b| b.iter(|| read(&text)));
        group.bench_function(BenchmarkId::new("plan", size), |b| b.iter(|| plan(&api)));
        group.bench_function(BenchmarkId::new("emit", size), |b| b.iter(|| emit(&api, &made)));
        times[0].push(seconds(|| drop(black_box(read(&text)))));
        times[1].push(seconds(|| drop(black_box(plan(&api)))));
        times[2].push(seconds(|| emit(&api, &made)));
    }
    group.finish();
    for (stage, times) in ["read", "plan", "emit"].iter().zip(&times) {
        println!(
            "{stage}: {times:.3?} s for {SIZES:?} operations, growth n^{:.2}",
            exponent(times)
        );
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
