import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import { adminPath } from '../admin/address.ts'
import type { Failure } from '../scenario/walkthrough.ts'
import { formatDuration } from '../time/duration.ts'
import type { Answer, Done, Stage, StoryCall } from '../walkthrough/stage.ts'

export interface ServerStageOptions {
  /** Where the API is, with its `/v1` or without. */
  readonly url: URL
  /** The key that the story is about, and the one to use in its place. */
  readonly storyKey: string
  readonly key: string
  /** How long may be waited in all, in milliseconds. */
  readonly maxWaitMs: number
  /** A call without an answer for so long hangs, in milliseconds. */
  readonly answerWithinMs?: number
  /** Lets real time pass, and tells a person of it. */
  readonly wait: (ms: number) => Promise<void>
}

export interface ServerStage extends Stage {
  /** Whether the server lets its clock be moved. */
  readonly movesClock: boolean
  readonly close: () => void
}

const usualPatienceMs = 30_000
const probeWithinMs = 2_000
const connectionsAtOnce = 500

/** A stage on any server that speaks HTTP. Rejects when it cannot be reached. */
export async function openServerStage(options: ServerStageOptions): Promise<ServerStage> {
  const { url, answerWithinMs = usualPatienceMs } = options
  // A connection for each call: one that was kept could be closed already, which is no failure of the call.
  const agentOptions = { keepAlive: false, maxSockets: connectionsAtOnce }
  const agent = url.protocol === 'https:' ? new TlsAgent(agentOptions) : new Agent(agentOptions)
  const base = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  const send = (call: StoryCall, within = answerWithinMs) =>
    exchange(url, agent, `${base}${call.target}`, call, within)
  const health = await send(adminCall('GET', `${adminPath}/health`), probeWithinMs)
  const movesClock = 'status' in health && health.status === 200 && isPetMock(health.text)
  const translate = createTranslation(options)
  let waited = 0

  const advance = async (ms: number): Promise<Done> => {
    if (movesClock) {
      const target = `${adminPath}/clock/advance${translate.sandboxQuery}`
      const moved = await send({ ...adminCall('POST', target), body: JSON.stringify({ by: `${ms}ms` }) })
      if ('status' in moved && moved.status < 300) return { ok: true }
      return impossible(
        `the server does not move its clock (${'status' in moved ? moved.status : moved.fails})`,
      )
    }
    if (waited + ms > options.maxWaitMs) {
      const longest = `longer than --max-wait ${formatDuration(options.maxWaitMs)}`
      return impossible(
        `its clock cannot be moved, and waiting for ${formatDuration(waited + ms)} is ${longest}`,
      )
    }
    waited += ms
    await options.wait(ms)
    return { ok: true }
  }

  return {
    movesClock,
    // A server that is gone in the middle of a story refuses connections: by a reset, too.
    call: call =>
      send({ ...call, headers: translate.headers(call.headers) }).catch((): Answer => ({ fails: 'reset' })),
    advance,
    change: ({ do: name }) => impossible(`a story cannot change a server from outside (${name})`),
    cannotJudge: header =>
      timeBound.has(header)
        ? "it depends on the time, and the server's clock does not stand still"
        : undefined,
    close: () => agent.destroy(),
  }
}

/** Headers that tell of instants: on a clock that runs, another value each time. */
const timeBound: ReadonlySet<string> = new Set(['date', 'retry-after', 'x-ratelimit-reset'])

function impossible(why: string): Done {
  return { ok: false, impossible: why }
}

function adminCall(method: string, target: string): StoryCall {
  return { method, target, headers: ['Content-Type', 'application/json'], body: undefined }
}

function isPetMock(text: string): boolean {
  try {
    return JSON.parse(text)?.name === 'pet-mock'
  } catch {
    return false
  }
}

/** The story's keys as this server is to see them: another one, or all of them in one sandbox. */
function createTranslation({ storyKey, key }: Pick<ServerStageOptions, 'storyKey' | 'key'>) {
  const plus = key.lastIndexOf('+')
  const sandbox = plus === -1 ? undefined : key.slice(plus + 1)
  const translateOne = (bearer: string) => {
    const text = bearer.slice('Bearer '.length)
    if (text === storyKey) return `Bearer ${key}`
    return sandbox === undefined ? bearer : `${bearer}+${sandbox}`
  }
  return {
    sandboxQuery: sandbox === undefined ? '' : `?sandbox=${encodeURIComponent(sandbox)}`,
    headers: (headers: readonly string[]) =>
      headers.map((text, at) =>
        headers[at - 1]?.toLowerCase() === 'authorization' && at % 2 === 1 && text.startsWith('Bearer ')
          ? translateOne(text)
          : text,
      ),
  }
}

function exchange(
  url: URL,
  agent: Agent,
  path: string,
  { method, headers, body }: StoryCall,
  withinMs: number,
): Promise<Answer> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const length = bytes === undefined ? [] : ['Content-Length', `${bytes.length}`]
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: url.port,
        method,
        path,
        agent,
        headers: ['Host', url.host, ...headers, ...length],
        signal: AbortSignal.timeout(withinMs),
      },
      response => readAnswer(response).then(resolve, reject),
    )
    sent.on('error', error => {
      const fails = failureOf(error)
      if (fails === undefined) reject(error)
      else resolve({ fails })
    })
    sent.end(bytes)
  })
}

function readAnswer(response: IncomingMessage): Promise<Answer> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    response.on('data', chunk => chunks.push(chunk))
    response.on('end', () => {
      const lowered = Object.entries(response.headers).map(([name, value]) => [name, `${value}`])
      const headers: Readonly<Record<string, string>> = Object.fromEntries(lowered)
      resolve({ status: response.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString() })
    })
    response.on('error', error => resolve({ fails: error.name === 'AbortError' ? 'hang' : 'truncate' }))
  })
}

/** How a call failed as its client sees it; undefined for a server that is not there at all. */
function failureOf(error: Error & { code?: string }): Failure | undefined {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'hang'
  if (error.code !== 'ECONNRESET') return undefined
  // Node gives the same code to a connection that is closed before a byte has come.
  return error.message === 'socket hang up' ? 'empty' : 'reset'
}
