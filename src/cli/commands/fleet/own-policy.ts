import { realpath } from 'node:fs/promises'
import { Session } from 'node:inspector'
import { relative, resolve } from 'node:path'
import { clearInterval, setInterval } from 'node:timers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { CreatePolicy, Policy } from '../../../judges/fleet/policy.ts'
import { reasonOf } from '../../../library/client/send-over-http.ts'
import { exitCodes } from '../../terminal/io.ts'
import { printable } from '../../terminal/text.ts'

/** What a policy of the user's did wrong, with its file and line. */
export class BrokenPolicy extends Error {}

/** For one decision, or to load the module, in milliseconds of real time. */
const mostMs = 5_000

/** How often a promise that is under way shows that no loop holds the process back, in milliseconds. */
const beatMs = 250

/**
 * Loads the policy of a module. Throws a BrokenPolicy if that has no `create`, or cannot be loaded; later, the policy throws one
 * if it breaks its rules. `end`: lets the process end.
 */
export async function loadPolicy(
  path: string,
): Promise<{ readonly create: CreatePolicy; readonly end: () => void }> {
  // Stacks have the path that symbolic links lead to.
  const url = pathToFileURL(await realpath(path).catch(() => resolve(path))).href
  const watch = startWatch(path)
  const decide = <T>(act: () => T, fail: (error: unknown) => never): T => {
    watch.begin()
    try {
      return act()
    } catch (error) {
      return fail(error)
    } finally {
      watch.done()
    }
  }
  const settle = <T>(given: Promise<T>, fail: (error: unknown) => never, late: () => Error): Promise<T> => {
    let beats = 0
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        beats += 1
        if (beats * beatMs >= mostMs) reject(late())
        else watch.begin()
      }, beatMs)
    })
    watch.begin()
    return Promise.race([given.catch(fail), tooLate]).finally(() => {
      clearInterval(timer)
      watch.done()
    })
  }
  const broken = (place: string | undefined, what: string) => new BrokenPolicy(`${place ?? path}: ${what}`)
  const guard = (name: keyof Policy, policy: Policy, now: () => number) => {
    const own = policy?.[name]
    if (typeof own !== 'function')
      throw broken(undefined, `expected create() to return { next, seen }, found no ${name}`)
    const fail = (what: string) => broken(lineOf(own), `${name}() ${what}`)
    const check = (at: unknown): number | undefined => {
      if (at === undefined) return undefined
      if (typeof at !== 'number' || !Number.isFinite(at))
        throw fail(`returned ${String(at)}; expected milliseconds of the virtual clock, or undefined`)
      if (at < now()) throw fail(`returned ${at}, which is ${now() - at} ms ago on the virtual clock`)
      return at
    }
    const crash = (error: unknown): never => {
      throw broken(placeIn(url, error) ?? lineOf(own), `${name}() threw: ${reasonOf(error)}`)
    }
    return (...given: readonly unknown[]) => {
      const at: unknown = decide(() => Reflect.apply(own, policy, given), crash)
      return at instanceof Promise
        ? settle(at, crash, () => fail(`took over ${mostMs / 1_000} s`)).then(check)
        : check(at)
    }
  }
  try {
    const loaded = await settle<{ readonly create?: unknown }>(
      import(url),
      error => {
        throw broken(placeIn(url, error), reasonOf(error))
      },
      () => broken(undefined, `took over ${mostMs / 1_000} s to load`),
    )
    const { create } = loaded
    if (typeof create !== 'function')
      throw broken(undefined, 'expected an export create({ instance, now, random }), found none')
    const crash = (error: unknown): never => {
      throw broken(placeIn(url, error) ?? lineOf(create), `create() threw: ${reasonOf(error)}`)
    }
    return {
      create: ({ instance, now, random }) => {
        const policy = decide(() => create({ instance, now, random }), crash)
        return { next: guard('next', policy, now), seen: guard('seen', policy, now) }
      },
      end: watch.end,
    }
  } catch (error) {
    watch.end()
    throw error
  }
}

function showPlace(url: string, line: number | string): string {
  return `${relative('', fileURLToPath(url))}:${line}`
}

/** The first place of an error's stack within a module. */
function placeIn(url: string, error: unknown): string | undefined {
  const { stack = '' } = error instanceof Error ? error : {}
  const line = /^(?:\?[^:]*)?:(\d+)/.exec(stack.split(url)[1] ?? '')?.[1]
  return line === undefined ? undefined : showPlace(url, line)
}

const holder = '__petMockPolicy'

/** Where a function is written. Only V8's debugger knows. */
function lineOf(decide: object): string | undefined {
  const session = new Session()
  session.connect()
  const urls = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  session.post('Debugger.enable')
  Object.assign(globalThis, { [holder]: decide })
  let place: string | undefined
  session.post('Runtime.evaluate', { expression: `globalThis.${holder}` }, (_, found) => {
    const { objectId = '' } = found.result
    session.post('Runtime.getProperties', { objectId }, (_, { internalProperties }) => {
      const at = internalProperties?.find(({ name }) => name === '[[FunctionLocation]]')?.value?.value
      place = at && showPlace(urls.get(at.scriptId) ?? '', at.lineNumber + 1)
    })
  })
  Reflect.deleteProperty(globalThis, holder)
  session.disconnect()
  return place
}

/** Ends code that never returns: it runs in a thread of its own, and stops the main one by the debugger. */
const watchCode = `
  const { workerData: { shared, path, mostMs, code } } = require('node:worker_threads')
  const { relative } = require('node:path')
  const { fileURLToPath } = require('node:url')
  const { writeSync } = require('node:fs')
  const { Session } = require('node:inspector')
  const began = new Float64Array(shared)
  setInterval(() => {
    // Read once: the main thread may end a decision at any moment.
    const from = began[0]
    if (from === 0 || performance.timeOrigin + performance.now() - from < mostMs) return
    began[0] = 0
    const session = new Session()
    session.connectToMainThread()
    const urls = new Map()
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
    session.on('Debugger.paused', ({ params: { callFrames } }) => {
      const frame = callFrames.find(({ location }) => urls.get(location.scriptId)?.startsWith('file:')) ?? callFrames[0]
      const url = urls.get(frame.location.scriptId) ?? ''
      const place = url.startsWith('file:') ? relative('', fileURLToPath(url)) : path
      writeSync(2, place + ':' + (frame.location.lineNumber + 1) + ': took over ' + mostMs / 1_000 + ' s\\n')
      const expression = "process.getBuiltinModule('node:fs').closeSync(2); process.reallyExit(" + code + ')'
      session.post('Debugger.evaluateOnCallFrame', { callFrameId: callFrames[0].callFrameId, expression })
    })
    session.post('Debugger.enable')
    session.post('Debugger.pause')
  }, 250)
`

function startWatch(path: string) {
  const shared = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)
  const began = new Float64Array(shared)
  const workerData = { shared, path, mostMs, code: exitCodes.wrongUsage }
  const worker = new Worker(watchCode, { eval: true, workerData })
  worker.unref()
  const offset = performance.timeOrigin
  // A module may put its own clock into globalThis.
  const clock = performance
  const onExit = () => {
    if (began[0] === 0) return
    process.stderr.write(`${printable(path)}: ended the process\n`)
    process.exitCode = exitCodes.wrongUsage
  }
  process.once('exit', onExit)
  return {
    begin: () => {
      began[0] = offset + clock.now()
    },
    done: () => {
      began[0] = 0
    },
    end: () => {
      process.off('exit', onExit)
      void worker.terminate()
    },
  }
}
