/**
 * Joins CRC-32 values, so that a run of many zeros need not be read again for every trial.
 *
 * The CRC of A followed by B is the CRC of A, multiplied by x to the power of B's bits modulo the CRC's
 * polynomial, added to the CRC of B. Values are reflected, as in zip and gzip: bit 31 stands for x^0.
 */
const polynomial = 0xedb88320
const one = 0x80000000
/** x^8, the factor of a single byte. */
const oneByte = 0x00800000

/** CRC-32 of A followed by B, from both CRCs and B's length in bytes. */
export function combineCrc32(crcOfA: number, crcOfB: number, bytesOfB: number): number {
  return (multiply(power(oneByte, bytesOfB), crcOfA) ^ crcOfB) >>> 0
}

function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial
  }
  return product >>> 0
}

function power(base: number, exponent: number): number {
  let result = one
  let factor = base
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiply(result, factor)
    factor = multiply(factor, factor)
  }
  return result
}
