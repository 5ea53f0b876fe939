import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { App } from '../../app/app.ts'
import type { CallToCopy } from '../../copy/copy-forms.ts'
import { Badge, toneOf } from '../../design/basics.tsx'
import { milliseconds } from '../../design/format.ts'
import { HeaderList, JsonText } from '../../design/message-parts.tsx'
import { toPlaneError } from '../../state/live.ts'

const mostShown = 100_000

/** The response to a call: status, headers and body, and the way to its record. */
export function AnswerView({ app, sent }: { readonly app: App; readonly sent: Sent }) {
  const { answer, tookMs, sandbox, id } = sent
  return (
    <section class="try-answer card" aria-label="Response">
      <header class="row">
        <h2>Response</h2>
        <Badge tone={answer ? toneOf(answer.status) : 'bad'}>{answer?.status ?? 'broken'}</Badge>
        <span class="muted">{milliseconds(tookMs)}</span>
        <span class="filler" />
        {id !== undefined && (
          <a href={app.places.linkTo('requests', [`${id}`], { sandbox })}>See it in Requests</a>
        )}
      </header>
      {answer === undefined ? (
        <p>The connection broke before the whole response was there.</p>
      ) : (
        <>
          <HeaderList headers={answer.headers} />
          {answer.body === '' ? (
            <p class="muted">No body.</p>
          ) : (
            <JsonText text={answer.body.slice(0, mostShown)} />
          )}
          {answer.body.length > mostShown && (
            <p class="muted">These are the first {mostShown.toLocaleString('en')} characters.</p>
          )}
        </>
      )}
    </section>
  )
}

export type Sent = Awaited<ReturnType<typeof sendCall>>

/** `sandbox`: the one that the key leads to. The `id` of its record in the journal is undefined if that is not known. */
async function sendCall(
  { callApi, plane, connection }: Pick<App, 'callApi' | 'plane' | 'connection'>,
  { method, target, headers, authorization, body }: CallToCopy,
  sandbox: string,
  signal: AbortSignal,
) {
  const all = new Headers(headers.map(([name, value]): [string, string] => [name, value]))
  if (authorization !== undefined) all.set('Authorization', authorization)
  const after = connection.newest.value[sandbox] ?? 0
  const start = performance.now()
  const answer = await readAnswer(() =>
    callApi(target, { method, headers: all, body, signal, cache: 'no-store', credentials: 'omit' }),
  )
  const tookMs = performance.now() - start
  signal.throwIfAborted()
  const query = { sandbox, after, method, limit: 250, view: 'rows' } as const
  const { requests } = await plane.call('listRequests', { query })
  return { answer, tookMs, sandbox, id: requests.find(one => one.target === target)?.id }
}

/** Undefined: no whole response came. The connection broke, as a fault may do. */
async function readAnswer(send: () => Promise<Response>) {
  try {
    const response = await send()
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
  } catch {
    return undefined
  }
}

/** Sends one call at a time. It stops waiting when the form leaves the page. */
export function useSending(app: App, sent: Signal<Sent | undefined>) {
  const isSending = useSignal(false)
  const current = useRef<AbortController | undefined>(undefined)
  const stop = () => current.current?.abort()
  useEffect(() => stop, [])
  const send = async (call: CallToCopy, sandbox: string) => {
    stop()
    const controller = new AbortController()
    current.current = controller
    isSending.value = true
    sent.value = undefined
    try {
      sent.value = await sendCall(app, call, sandbox, controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) app.notices.show(toPlaneError(error).message, 'bad')
    } finally {
      if (current.current === controller) isSending.value = false
    }
  }
  return { isSending: isSending.value, send, stop }
}
