/*
 * A fault that the soak must find, with --plant lost-count: the thousandth request gets the answer of a pet, and no part
 * of pet-mock counts it.
 */
import { Server } from 'node:http'

let requests = 0
/** @type {{ emit: (...args: any[]) => boolean }} */
const prototype = Server.prototype
const { emit } = prototype
prototype.emit = function (event, ...rest) {
  const [request, response] = rest
  if (event !== 'request' || !/^\/v1\/pets\/\d+$/.test(request.url)) return emit.call(this, event, ...rest)
  requests += 1
  if (requests !== 1_000) return emit.call(this, event, ...rest)
  const body = '{"id":1,"name":"Rex","categoryId":1}'
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body)
  return true
}
