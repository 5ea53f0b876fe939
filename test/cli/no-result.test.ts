import { join } from 'node:path'
import { expect, test } from 'vitest'
import { directoryWith } from '../support/directory.ts'
import { runProcess } from '../support/run-command.ts'

/* What never settles, and keeps no event loop alive: the loop runs empty before the command has a result. */

const nothingConnects = `const { Socket } = require('node:net')
Socket.prototype.connect = function () { return this }
const { setTimeout } = globalThis
globalThis.setTimeout = (...args) => setTimeout(...args).unref()`

const nothingIsSent = `const { EventEmitter } = require('node:events')
const nothing = () => {}
const sent = { end: nothing, write: nothing, destroy: nothing, setTimeout: nothing, setNoDelay: nothing }
require('node:http').request = () => Object.assign(new EventEmitter(), sent)
globalThis.fetch = () => new Promise(nothing)
const { setTimeout } = globalThis
globalThis.setTimeout = require('node:timers').setTimeout = (...args) => setTimeout(...args).unref()`

const nothingListens = `const { Server } = require('node:net')
Server.prototype.listen = function () { return this }`

const nothingEnds = `const childProcess = require('node:child_process')
const { spawn } = childProcess
childProcess.spawn = (...args) => {
  const child = spawn(...args)
  child.unref()
  child.on = child.once = () => child
  return child
}
const { Server } = require('node:net')
const { listen } = Server.prototype
Server.prototype.listen = function (...args) { return listen.apply(this, args).unref() }`

const nothingIsRead = `const files = require('node:fs/promises')
files.readFile = files.open = () => new Promise(() => {})`

test.each<[line: string, stub: string]>([
  ['scenarios play ban --against http://127.0.0.1:9/v1 --key k', nothingConnects],
  ['check http://127.0.0.1:9/v1 --key k', nothingIsSent],
  ['conduct --url http://127.0.0.1:9', nothingIsSent],
  ['exec -- node --version', nothingListens],
  ['exec -- node --version', nothingEnds],
  ['rehearse -- node --version', nothingListens],
  ['rehearse --search -- node --version', nothingListens],
  ['proxy http://127.0.0.1:9/v1 --port 0', nothingListens],
  ['compare-plans calls.har', nothingIsRead],
])('%s: a command without a result is never a success', async (line, stub) => {
  const cwd = directoryWith({ 'stub.cjs': stub, 'calls.har': '{}' })
  const env = { NODE_OPTIONS: `--require "${join(cwd, 'stub.cjs')}"` }
  const { code, stderr } = await runProcess(line.split(' '), { env, cwd })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('pet-mock ended without a result.'),
  })
})
