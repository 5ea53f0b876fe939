import { connect } from 'node:net'
import { hostOf } from '../../base/text/loopback.ts'
import { formatDuration } from '../../base/time/duration.ts'
import type { Command } from '../../control/scenario/file.ts'
import type { Done, Impossible, PlayedAnswer, WalkthroughTarget } from '../../judges/walkthrough/target.ts'
import type { Ask } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { adminUrlOf, createHttpClient, openPlane } from '../remote/find-server.ts'
import { identifyServer } from '../start/running-servers.ts'

export interface ServerTargetOptions {
  /** The base URL of the API, with or without `/v1`. */
  readonly url: URL
  /** The key in the walkthrough, and the key to use instead. */
  readonly scenarioKey: string
  readonly key: string
  readonly token?: string | undefined
  /** The longest time of the run, with all waits, in milliseconds. */
  readonly maxTimeMs: number
  /** A call without a response within this time hangs, in milliseconds. Default: 30,000. */
  readonly answerWithinMs?: number
  readonly wait: (ms: number) => Promise<void>
}

const connectWithinMs = 2_000

const timeBound: ReadonlySet<string> = new Set(['date', 'retry-after', 'x-ratelimit-reset'])

/** Opens any HTTP server as the target of a walkthrough. Rejects if it cannot be reached. */
export async function openServerTarget(options: ServerTargetOptions) {
  const { url, answerWithinMs = 30_000 } = options
  const unreachable = await explainUnreachable(url)
  if (unreachable !== undefined) throw new Error(unreachable)
  const { sandbox, inHeaders, inChange } = replaceKey(options.scenarioKey, options.key)
  const { closed, make } = await openTargetPlane(url, options.token, sandbox)
  const { send, close } = createHttpClient(url)
  const base = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  const waitFor = createWait(options)
  let hasMoved = false

  /** A call may also fail because the server is gone: then the walkthrough cannot continue. */
  const unlessGone = async <T>(otherwise: () => T | Promise<T>): Promise<T | Impossible> => {
    const reason = await explainUnreachable(url)
    return reason === undefined ? await otherwise() : impossible(`the server is gone (${reason})`)
  }

  const target: WalkthroughTarget = {
    call: async ({ target, headers, ...call }): Promise<PlayedAnswer | Impossible> => {
      const sent = { ...call, target: `${base}${target}`, headers: inHeaders(headers) }
      try {
        const answer = await send(sent, answerWithinMs)
        return 'fails' in answer ? await unlessGone(() => answer) : answer
      } catch (error) {
        if (!(error instanceof Error)) throw error
        const unreadable = `the response cannot be read (${formatNetworkError(error)})`
        return await unlessGone(() => impossible(unreadable))
      }
    },
    advance: async ms => {
      if (closed !== undefined) return await waitFor(ms, 'its clock cannot be moved')
      const moved = await make('advanceClock', { by: `${ms}ms` })
      hasMoved ||= moved.ok
      if (moved.ok) return moved
      return await unlessGone(() => waitFor(ms, `its clock did not move (${moved.impossible})`))
    },
    change: async command => {
      hasMoved ||= /Clock$/.test(command.do)
      if (closed !== undefined) return impossible(`pet-mock cannot make this change: ${closed}`)
      const { fieldsToSend } = await import('../../doors/admin/fields-to-send.ts')
      // Without a name this request drops all sandboxes, but a walkthrough in process drops only its own.
      const query = command.do === 'deleteSandbox' ? { sandbox: sandbox ?? 'default' } : {}
      return await make(command.do, fieldsToSend(inChange(command)), query)
    },
    cannotJudge: header =>
      timeBound.has(header) ? "it depends on the time, and the server's clock runs" : undefined,
  }
  return {
    ...target,
    /** Why the admin plane cannot be used; undefined if it can. */
    closed,
    /** Resets the clock that the walkthrough moved, and ends all connections. Resolves with why the clock stays, if it does. */
    close: async () => {
      close()
      const done = hasMoved && closed === undefined ? await make('resetClock') : undefined
      return done?.ok === false ? done.impossible : undefined
    },
  }
}

function createWait({ maxTimeMs, wait }: Pick<ServerTargetOptions, 'maxTimeMs' | 'wait'>) {
  const startedAt = performance.now()
  return async (ms: number, reason: string): Promise<Done> => {
    if (performance.now() - startedAt + ms > maxTimeMs)
      return impossible(
        `${reason}, and a wait of ${formatDuration(ms)} would exceed --max-time ${formatDuration(maxTimeMs)}: raise --max-time`,
      )
    await wait(ms)
    return { ok: true }
  }
}

function explainUnreachable(url: URL): Promise<string | undefined> {
  return new Promise(resolve => {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const socket = connect({ host: hostOf(url), port })
    const end = (reason: string | undefined) => {
      socket.destroy()
      resolve(reason)
    }
    socket.setTimeout(connectWithinMs, () => end('it accepts no connection'))
    socket.on('connect', () => end(undefined)).on('error', error => end(formatNetworkError(error)))
  })
}

/** When a name has several addresses, Node's error for all of them has no message. */
function formatNetworkError(error: Error & { readonly code?: string }): string {
  return error.message || error.code || error.name
}

/** Opens the admin plane. `closed`: why it cannot be used, if so. `sandbox`: the one that the walkthrough is played in. */
async function openTargetPlane(url: URL, token: string | undefined, sandbox: string | undefined) {
  const admin = adminUrlOf(url)
  // Send the token to a pet-mock only.
  const isPetMock = (await identifyServer(admin)).kind === 'pet-mock'
  const ask = await openPlane(admin, token, sandbox)
  const make = async (...call: Parameters<Ask>): Promise<Done> => {
    try {
      await ask(...call)
      return { ok: true }
    } catch (error) {
      if (!(error instanceof PetMockError)) throw error
      return impossible(error.message)
    }
  }
  const isOpen = isPetMock ? await make('getClock') : impossible('it has no admin plane')
  return { closed: isOpen.ok ? undefined : isOpen.impossible, make }
}

function impossible(reason: string): Impossible {
  return { ok: false, impossible: reason }
}

/** Puts `key` where the walkthrough has the scenario's key, and adds its sandbox to all other keys. */
function replaceKey(scenarioKey: string, key: string) {
  const plus = key.lastIndexOf('+')
  const sandbox = plus === -1 ? undefined : key.slice(plus + 1)
  const withoutSandbox = plus === -1 ? key : key.slice(0, plus)
  const inBearer = (value: string) => {
    if (value === `Bearer ${scenarioKey}`) return `Bearer ${key}`
    return sandbox === undefined ? value : `${value}+${sandbox}`
  }
  return {
    /** The sandbox that `key` names. All calls use it. */
    sandbox,
    /** Takes and returns names and values in turn. */
    inHeaders: (headers: readonly string[]) =>
      headers.map((text, at) =>
        headers[at - 1]?.toLowerCase() === 'authorization' && at % 2 === 1 && text.startsWith('Bearer ')
          ? inBearer(text)
          : text,
      ),
    inChange: (change: Command): Command =>
      'key' in change && change.key === scenarioKey ? { ...change, key: withoutSandbox } : change,
  }
}
