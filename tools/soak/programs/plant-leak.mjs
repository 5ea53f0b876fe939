/*
 * A fault that the soak must find, with --plant leak: the server keeps 1 kB of every request.
 */
import { Server } from 'node:http'

const kept = []
/** @type {{ emit: (...args: any[]) => boolean }} */
const prototype = Server.prototype
const { emit } = prototype
prototype.emit = function (event, ...rest) {
  if (event === 'request') kept.push(Array.from({ length: 128 }, () => kept.length))
  return emit.call(this, event, ...rest)
}
