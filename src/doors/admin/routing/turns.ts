import type { Waiting } from './read-body.ts'
import { write } from './replies.ts'

/** Work in small steps. A step yields a piece of text, or nothing. */
export type Steps<T = void> = Generator<string | undefined, T>

/** Steps of one turn of the event loop. A step takes up to a tenth of a millisecond. */
const stepsAtOnce = 50
/** Characters of one piece of a long answer: a turn that writes more ends. */
const charactersAtOnce = 65_536

/** `end`: undefined until all steps are done. */
function takeTurn<T>(steps: Steps<T>): { readonly text: string; readonly end?: { readonly value: T } } {
  let text = ''
  for (let taken = 0; taken < stepsAtOnce && text.length < charactersAtOnce; taken += 1) {
    const step = steps.next()
    if (step.done === true) return { text, end: step }
    text += step.value ?? ''
  }
  return { text }
}

/** Does all steps, and lets other calls run between them. Rejects with the signal's reason when the client leaves. */
export async function finishInTurns<T>(steps: Steps<T>, { signal, nextTurn }: Waiting): Promise<T> {
  for (;;) {
    const { end } = takeTurn(steps)
    if (end !== undefined) return end.value
    await nextTurn()
    signal.throwIfAborted()
  }
}

/** The text of all steps: whole if it is short, else a stream whose pieces are made when the client reads them. */
async function writeInTurns(steps: Steps, { signal, nextTurn }: Waiting) {
  const nextPiece = async () => {
    let text = ''
    for (;;) {
      signal.throwIfAborted()
      const turn = takeTurn(steps)
      const isDone = turn.end !== undefined
      text += turn.text
      if (isDone || text.length >= charactersAtOnce) return { text, isDone }
      await nextTurn()
    }
  }
  const first = await nextPiece()
  if (first.isDone) return first.text
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: controller => controller.enqueue(encoder.encode(first.text)),
    pull: async controller => {
      await nextTurn()
      const { text, isDone } = await nextPiece()
      if (text !== '') controller.enqueue(encoder.encode(text))
      if (isDone) controller.close()
    },
    cancel: () => {
      steps.return()
    },
  })
}

/** JSON that is written in steps. A long one is sent piece by piece, so that other calls are answered meanwhile. */
export async function jsonInTurns(
  steps: Steps,
  waiting: Waiting,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const body = await writeInTurns(steps, waiting)
  if (typeof body === 'string') return write(body, 'application/json', 200, headers)
  return new Response(body, { status: 200, headers: { 'Content-Type': 'application/json', ...headers } })
}
