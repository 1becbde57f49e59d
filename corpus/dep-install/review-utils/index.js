'use strict'

/** The numbers of the lines that are longer than `limit`. */
exports.longLines = (text, limit) =>
  text
    .split('\n')
    .map((line, index) => [line.length, index + 1])
    .filter(([length]) => length > limit)
    .map(([, number]) => number)
