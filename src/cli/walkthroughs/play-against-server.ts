import { formatDuration } from '../../base/time/duration.ts'
import type {
  Answer,
  Done,
  Impossible,
  WalkthroughCall,
  WalkthroughTarget,
} from '../../judges/walkthrough/target.ts'
import { createCaller, reasonOf, whyUnreachable } from './http-calls.ts'
import { createTranslation } from './key-translation.ts'
import { openStoryPlane } from './server-plane.ts'

export interface ServerStageOptions {
  /** Where the API is, with its `/v1` or without. */
  readonly url: URL
  /** The key that the story is about, and the one to use in its place. */
  readonly storyKey: string
  readonly key: string
  /** What the admin plane asks for. */
  readonly token?: string | undefined
  /** How long may be waited in all, in milliseconds. */
  readonly maxWaitMs: number
  /** A call without an answer for so long hangs, in milliseconds. */
  readonly answerWithinMs?: number
  /** Lets real time pass, and tells a person of it. */
  readonly wait: (ms: number) => Promise<void>
}

export interface ServerStage extends WalkthroughTarget {
  /** Why the server cannot be changed from here, nor its clock be moved; undefined when both can. */
  readonly closed: string | undefined
  readonly close: () => void
}

const usualPatienceMs = 30_000
const connectWithinMs = 2_000

/** A stage on any server that speaks HTTP. Rejects when it cannot be reached. */
export async function openServerStage(options: ServerStageOptions): Promise<ServerStage> {
  const { url, answerWithinMs = usualPatienceMs } = options
  const absent = await whyUnreachable(url, connectWithinMs)
  if (absent !== undefined) throw new Error(absent)
  const { sandbox, translateHeaders, translateCommand } = createTranslation(options)
  const plane = await openStoryPlane(url, { token: options.token, sandbox })
  const caller = createCaller(url)
  let waited = 0

  /** A server that is gone fails calls, too: that it is still there decides whose failure it was. */
  const unlessGone = async <T>(otherwise: () => T | Promise<T>): Promise<T | Impossible> => {
    const why = await whyUnreachable(url, connectWithinMs)
    return why === undefined ? await otherwise() : impossible(`the server is gone (${why})`)
  }
  const call = async (given: WalkthroughCall): Promise<Answer | Impossible> => {
    try {
      const answer = await caller.call({ ...given, headers: translateHeaders(given.headers) }, answerWithinMs)
      return 'fails' in answer ? await unlessGone(() => answer) : answer
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return await unlessGone(() =>
        impossible(`the call gets no answer that can be read (${reasonOf(error)})`),
      )
    }
  }

  const waitFor = async (ms: number, unmoved: string): Promise<Done> => {
    if (waited + ms > options.maxWaitMs) {
      const longest = `longer than --max-wait ${formatDuration(options.maxWaitMs)}`
      return impossible(`${unmoved}, and waiting for ${formatDuration(waited + ms)} is ${longest}`)
    }
    waited += ms
    await options.wait(ms)
    return { ok: true }
  }
  const advance = async (ms: number): Promise<Done> => {
    if ('impossible' in plane) return await waitFor(ms, 'its clock cannot be moved')
    const moved = await plane.advance(ms)
    if (moved.ok) return moved
    return await unlessGone(() => waitFor(ms, `its clock is not moved (${moved.impossible})`))
  }

  return {
    closed: 'impossible' in plane ? plane.impossible : undefined,
    call,
    advance,
    change: command =>
      'impossible' in plane
        ? impossible(`the server cannot be changed from outside: ${plane.impossible}`)
        : plane.change(translateCommand(command)),
    cannotJudge: header =>
      timeBound.has(header)
        ? "it depends on the time, and the server's clock does not stand still"
        : undefined,
    close: () => caller.close(),
  }
}

/** Headers that tell of instants: on a clock that runs, another value each time. */
const timeBound: ReadonlySet<string> = new Set(['date', 'retry-after', 'x-ratelimit-reset'])

function impossible(why: string): Impossible {
  return { ok: false, impossible: why }
}
