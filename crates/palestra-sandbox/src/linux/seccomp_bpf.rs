//! Compiles the seccomp policy to BPF: a binary search over ranges of system call numbers.
//!
//! Neighbouring numbers with the same verdict are one range, so that the filter takes some ten instructions for any
//! call. The kernel runs a filter for every number when it is installed (to cache the verdicts that do not depend on
//! arguments): with a chain of comparisons, as `seccompiler` emits it, that was most of the time of installing it.

use std::collections::BTreeMap;

use libc::sock_filter;

/// What the kernel does about a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The call is made.
    Allow,
    /// The call fails with `ENOSYS`, as on a kernel that does not know it.
    NotImplemented,
    /// The process is killed by `SIGSYS`.
    KillProcess,
}

/// The verdict on a system call, or the tests of its arguments that decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// One verdict for all arguments.
    Always(Verdict),
    /// The first of these tests that holds decides; if none does, the last verdict.
    ByArguments(Vec<Test>, Verdict),
}

/// A test of one half of an argument: BPF compares 32 bits at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Test {
    /// Which half of which argument.
    pub(super) half: ArgumentHalf,
    /// The bits that are looked at.
    pub(super) mask: u32,
    /// How they are compared.
    pub(super) is: Comparison,
    /// The verdict if it holds.
    pub(super) then: Verdict,
}

/// One half of an argument: filters see 32 bits at a time. Arguments are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArgumentHalf {
    /// All of an argument that is a number of 32 bits.
    Lower(u32),
    /// The upper 32 bits of a pointer.
    Upper(u32),
}

impl ArgumentHalf {
    /// Its offset in `struct seccomp_data`, on little-endian machines.
    const fn offset(self) -> u32 {
        match self {
            Self::Lower(argument) => 16 + 8 * argument,
            Self::Upper(argument) => 20 + 8 * argument,
        }
    }
}

/// How the bits of an argument are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// The masked argument is one of these values.
    OneOf(Vec<u32>),
    /// Any of them is set.
    NotZero,
}

/// System calls with this bit belong to the x32 ABI, which some kernels support beside x86-64.
const X32_BIT: u32 = 0x4000_0000;

/// Offsets of the number of the call and of the architecture in `struct seccomp_data`.
const NUMBER_OFFSET: u32 = 0;
const ARCH_OFFSET: u32 = 4;

#[cfg(target_arch = "x86_64")]
const AUDIT_ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const AUDIT_ARCH: u32 = 0xc000_00b7;
// Matches no architecture: elsewhere no program can start in a box.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const AUDIT_ARCH: u32 = 0;

/// The BPF program for a table of rules; calls that are not in it fail with `ENOSYS`.
pub(super) fn compile(table: &BTreeMap<u32, Rule>) -> Vec<sock_filter> {
    let mut program = vec![
        load(ARCH_OFFSET),
        step(JUMP | libc::BPF_JEQ, AUDIT_ARCH, 1, 0),
        ret(Verdict::KillProcess),
        load(NUMBER_OFFSET),
    ];
    program.extend(search(&ranges(table)));
    program
}

/// The table as ranges that cover all numbers: where each begins, and its rule.
fn ranges(table: &BTreeMap<u32, Rule>) -> Vec<(u32, Rule)> {
    let unknown = Rule::Always(Verdict::NotImplemented);
    let mut ranges = vec![(0, unknown.clone())];
    for (&number, rule) in table {
        ranges.push((number, rule.clone()));
        ranges.push((number + 1, unknown.clone()));
    }
    ranges.push((X32_BIT, Rule::Always(Verdict::KillProcess)));
    // Of two that begin at the same number the first is empty.
    ranges.reverse();
    ranges.dedup_by_key(|(start, _)| *start);
    ranges.reverse();
    ranges.dedup_by(|next, range| next.1 == range.1);
    ranges
}

/// Binary search for the range of a number, and the return of its verdict.
fn search(ranges: &[(u32, Rule)]) -> Vec<sock_filter> {
    let [(_, rule)] = ranges else {
        let (lower, upper) = ranges.split_at(ranges.len() / 2);
        let (below, above) = (search(lower), search(upper));
        // A conditional jump does not reach far, so it only chooses between going on and a jump that does.
        let choice = step(JUMP | libc::BPF_JGE, upper[0].0, 0, 1);
        let far = step(JUMP | libc::BPF_JA, below.len() as u32, 0, 0);
        return [vec![choice, far], below, above].concat();
    };
    match rule {
        Rule::Always(answer) => vec![ret(*answer)],
        Rule::ByArguments(tests, otherwise) => tests.iter().flat_map(tested).chain([ret(*otherwise)]).collect(),
    }
}

fn tested(test: &Test) -> Vec<sock_filter> {
    let values = match &test.is {
        Comparison::OneOf(values) => values.as_slice(),
        Comparison::NotZero => &[0],
    };
    let mut steps = vec![load(test.half.offset()), step(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, test.mask, 0, 0)];
    for (index, &value) in values.iter().enumerate() {
        // From the last value on, both ways lead on: to the answer, or past it.
        let left = (values.len() - 1 - index) as u8;
        let (found, missed) = if test.is == Comparison::NotZero { (1, 0) } else { (left, u8::from(left == 0)) };
        steps.push(step(JUMP | libc::BPF_JEQ, value, found, missed));
    }
    steps.push(ret(test.then));
    steps
}

const JUMP: u32 = libc::BPF_JMP | libc::BPF_K;

const fn load(offset: u32) -> sock_filter {
    step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0)
}

const fn ret(answer: Verdict) -> sock_filter {
    let value = match answer {
        Verdict::Allow => libc::SECCOMP_RET_ALLOW,
        Verdict::NotImplemented => libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned(),
        Verdict::KillProcess => libc::SECCOMP_RET_KILL_PROCESS,
    };
    step(libc::BPF_RET | libc::BPF_K, value, 0, 0)
}

const fn step(code: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code: code as u16, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does what the kernel does with a program.
    fn run(program: &[sock_filter], machine: u32, number: u32, arguments: [u64; 6]) -> u32 {
        let (mut at, mut value) = (0, 0);
        loop {
            let sock_filter { code, jt, jf, k } = program[at];
            at += 1;
            let either = |is: bool| usize::from(if is { jt } else { jf });
            match u32::from(code) {
                code if code == libc::BPF_LD | libc::BPF_W | libc::BPF_ABS => {
                    value = match k {
                        NUMBER_OFFSET => number,
                        ARCH_OFFSET => machine,
                        k => (arguments[(k as usize - 16) / 8] >> (8 * (k % 8))) as u32,
                    };
                }
                code if code == libc::BPF_ALU | libc::BPF_AND | libc::BPF_K => value &= k,
                code if code == JUMP | libc::BPF_JEQ => at += either(value == k),
                code if code == JUMP | libc::BPF_JGE => at += either(value >= k),
                code if code == JUMP | libc::BPF_JA => at += k as usize,
                code if code == libc::BPF_RET | libc::BPF_K => return k,
                code => panic!("step {code}"),
            }
        }
    }

    fn table() -> BTreeMap<u32, Rule> {
        let test = |half, mask, is, then| Test { half, mask, is, then };
        let one_of = test(ArgumentHalf::Lower(1), 0x7f, Comparison::OneOf(vec![3, 5, 9]), Verdict::Allow);
        let bits = test(ArgumentHalf::Lower(0), 0x30, Comparison::NotZero, Verdict::KillProcess);
        let mut table: BTreeMap<u32, Rule> = (10..200).map(|number| (number, Rule::Always(Verdict::Allow))).collect();
        table.extend([(0, Rule::Always(Verdict::KillProcess)), (50, Rule::Always(Verdict::KillProcess))]);
        table.insert(60, Rule::ByArguments(vec![one_of.clone()], Verdict::NotImplemented));
        let above = test(ArgumentHalf::Upper(2), u32::MAX, Comparison::NotZero, Verdict::NotImplemented);
        table.insert(62, Rule::ByArguments(vec![above], Verdict::Allow));
        table.insert(61, Rule::ByArguments(vec![bits, one_of], Verdict::NotImplemented));
        table
    }

    fn answer(number: u32, arguments: [u64; 6]) -> u32 {
        run(&compile(&table()), AUDIT_ARCH, number, arguments)
    }

    #[test]
    fn every_number_gets_the_answer_of_the_table() {
        let table = table();
        for number in 0..1000 {
            let Some(Rule::Always(expected)) =
                table.get(&number).cloned().or(Some(Rule::Always(Verdict::NotImplemented)))
            else {
                continue;
            };
            assert_eq!(answer(number, [0; 6]), ret(expected).k, "{number}");
        }
    }

    #[test]
    fn arguments_are_looked_at_in_order() {
        let (allow, unknown, kill) =
            (ret(Verdict::Allow).k, ret(Verdict::NotImplemented).k, ret(Verdict::KillProcess).k);
        for (number, first, second, expected) in [
            (60, 0, 3, allow),
            (60, 0, 5, allow),
            (60, 0, 9 | 0x80, allow),
            (60, 0, 4, unknown),
            (60, 0x10, 9, allow),
            (61, 0, 9, allow),
            (61, 0, 0, unknown),
            (61, 0x20, 9, kill),
            (61, 0x40, 9, allow),
        ] {
            assert_eq!(answer(number, [first, second, 0, 0, 0, 0]), expected, "{number} {first:x} {second:x}");
        }
        assert_eq!(answer(62, [0, 0, 0xffff_ffff, 0, 0, 0]), allow);
        assert_eq!(answer(62, [0, 0, 0x1_0000_0000, 0, 0, 0]), unknown);
    }

    #[test]
    fn other_machines_and_other_sets_of_calls_end_the_program() {
        let kill = ret(Verdict::KillProcess).k;
        assert_eq!(run(&compile(&table()), 0x4000_0003, 100, [0; 6]), kill, "32 bits");
        assert_eq!(answer(X32_BIT, [0; 6]), kill);
        assert_eq!(answer(X32_BIT + 100, [0; 6]), kill);
        assert_eq!(answer(u32::MAX, [0; 6]), kill);
    }
}
