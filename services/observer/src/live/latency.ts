/** Percentiles over a bounded sample: the first ones, and then every so-manieth. */
export class Latency {
  readonly #kept: number[] = []
  readonly #most: number
  #samples = 0
  #stride = 1

  constructor(most = 4_096) {
    this.#most = most
  }

  add(value: number): void {
    this.#samples += 1
    if (this.#samples % this.#stride !== 0) return
    this.#kept.push(value)
    if (this.#kept.length < this.#most) return
    // Every second one stays, and from here on only every second one is taken.
    for (let index = 0; index * 2 < this.#kept.length; index += 1) this.#kept[index] = this.#kept[index * 2] ?? value
    this.#kept.length = Math.ceil(this.#kept.length / 2)
    this.#stride *= 2
  }

  result(): { samples: number; p50: number; p95: number } {
    const sorted = this.#kept.toSorted((a, b) => a - b)
    return { samples: this.#samples, p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) }
  }
}

/** Of values in ascending order; 0 when there are none. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
