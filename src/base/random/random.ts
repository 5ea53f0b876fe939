/**
 * Chance without a generator: the n-th draw of a seed depends on both and on nothing else, so the order of draws does
 * not matter. All of it is 32-bit integer arithmetic, which is the same on every machine.
 */

/** 2^32 over the golden ratio, signed: without it, zeros would stay zeros. */
const golden = 0x9e3779b9 | 0

/** Derives a seed of 32 bits for a purpose. `seed` is any safe integer from 0 on. */
export function fork(seed: number, purpose: string): number {
  let state = absorb(0, seed)
  for (let at = 0; at < purpose.length; at++) state = absorbWord(state, purpose.charCodeAt(at))
  return state >>> 0
}

/** The n-th draw of a seed: from 0 to below 1, in steps of 2^-32. Both are safe integers from 0 on. */
export function draw(seed: number, n: number): number {
  return drawAt(placeOf(n), seed)
}

/** What the n-th draws of all seeds share: compute it once for several draws. */
export function placeOf(n: number): number {
  return absorb(0, n)
}

export function drawAt(place: number, seed: number): number {
  // The seed comes last: if it came first, two seeds could have the same draws in a shifted order.
  return (absorb(place, seed) >>> 0) / 2 ** 32
}

/** Picks an item by the draw of a seed at a place. Throws a RangeError if the list is empty. */
export function pickAt<T>(place: number, seed: number, list: readonly T[]): T {
  if (list.length === 0) throw new RangeError('there is nothing to pick from: the list is empty')
  return list[Math.floor(drawAt(place, seed) * list.length)] as T
}

function absorb(state: number, integer: number): number {
  return absorbWord(absorbWord(state, integer | 0), Math.floor(integer / 2 ** 32))
}

/**
 * A bijection of 32 bits: each input bit flips each output bit with a chance of about one half. The states are signed:
 * V8 keeps a larger number in an object of its own until it has compiled the code.
 */
function absorbWord(state: number, word: number): number {
  let bits = ((state ^ word) + golden) | 0
  // The shifts and factors were found by search: https://github.com/skeeto/hash-prospector
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return bits ^ (bits >>> 15)
}
