"""The costs of a machine: the numbers by which tiles, algorithms and fusions are chosen.

Rules are formulas over these numbers; limits of one rule (the largest tile, say) are defined with
the rule. Defaults are those of recent server cores. Only ratios of costs matter.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CostModel:
    """The throughput of one core in a cycle, and the cost of operations.

    A step is a multiply-add of vectors. Bytes a cycle are those that reach one core.
    """

    fma_per_cycle: float = 2.0
    """Steps that a core starts in a cycle."""

    efficiency: float = 0.85
    """Share of them that register-tiled contractions reach."""

    fma_latency: float = 4.0
    """Cycles from the start of a step to its sum."""

    idle_accumulator: float = 0.02
    """Part of a step that each accumulator costs by which a tile has fewer than
    ``busy_accumulators``. On a Zen 4 with AVX2, tiles of 10, 9 and 8 are 5, 7 and 9 % slower than
    tiles of 12."""

    instructions_per_cycle: float = 3.0
    """Instructions that a core starts in a cycle, while another thread takes its share of them."""

    loop_instructions: float = 3.0
    """Instructions of a loop itself, each iteration."""

    end_cycles: float = 2.5
    """Cycles that a vector of sums takes at the end of a tile of a product, when it is stored."""

    overlapped_sums: int = 4
    """Vectors of sums at the end of a tile that a core computes while it begins the next tile."""

    window_steps_per_cycle: float = 1.0
    """Vectors of a window over single channels that a core takes in a cycle: each is loaded."""

    transform_ops_per_cycle: float = 1.0
    """Vector additions, loads and stores of Winograd's transforms done in a cycle: they are short
    and wait for the L2 cache."""

    softmax_cycles: float = 10.0
    """Cycles that a vector of a softmax takes: largest, exponential, sum and quotient."""

    bfloat16_rate: float = 1.0
    """Products of bfloat16 in the time of a product of 32-bit floats."""

    amx_rate: float = 1.0
    """Products of 8 bits, or of bfloat16, in tile registers (AMX), in the time of one in vectors; 1
    where there are no such registers, or the system does not offer them."""

    l1_load_steps: float = 0.2
    """Steps that a load from the L1 cache costs."""

    l2_load_steps: float = 0.5
    """Steps that the load of a vector from the L2 cache costs."""

    l2_vector_cycles: float = 0.5
    """Cycles that a vector of weights costs on its way from the L2 cache."""

    l2_bytes_per_cycle: float = 64.0
    """Bytes a cycle of a matrix that is read from the L2 cache, or written to it, row by row."""

    l2_wait_bytes_per_cycle: float = 8.0
    """Bytes a cycle from the L2 cache where a tile waits for them."""

    beyond_l2_bytes_per_cycle: float = 8.0
    """Bytes a cycle from beyond the L2 cache: of weights that are fetched ahead, of images that are
    read row by row."""

    beyond_l2_wait_bytes_per_cycle: float = 5.0
    """Bytes a cycle from beyond the L2 cache where a tile waits for them."""

    scattered_bytes_per_cycle: float = 0.5
    """Bytes a cycle from beyond the L2 cache of pieces far apart that are fetched, written back and
    read again."""

    download_bytes_per_cycle: float = 1e9
    """Bytes by which the weight file may grow for each cycle that a run saves; few for a page,
    which downloads the file."""

    steps_per_prefetch: int = 24
    """Steps between two prefetches of a kernel, at least. A line that is on its way holds one of
    some 16 buffers for 100 ns; when all are taken, loads wait."""

    set_bytes: int = 4096
    """Bytes between addresses that share a set of the L1 cache: 64 sets of lines of 64 bytes."""

    parallel_work: int = 1 << 16
    """Multiply-adds or elements of a kernel from which on several threads are worth their start."""

    @property
    def steps_per_cycle(self) -> float:
        """Steps that a core gets done in a cycle."""
        return self.fma_per_cycle * self.efficiency

    @property
    def busy_accumulators(self) -> float:
        """Accumulators that keep a core busy: half as many again as start while one is added up.

        With just those, each multiply-add that waits for a load delays the next step.
        """
        return 1.5 * self.fma_latency * self.fma_per_cycle

    @property
    def passing_bytes_per_cycle(self) -> float:
        """Bytes a cycle of an image that is written to the L2 cache and read back."""
        return self.l2_bytes_per_cycle / 2

    @property
    def streamed_bytes_per_cycle(self) -> float:
        """Bytes a cycle of a stream from beyond the L2 cache while the core computes."""
        return self.beyond_l2_bytes_per_cycle / 2
