import { expect, test } from 'vitest'
import { follow } from '../../../src/cli/remote/follow-requests.ts'
import type { Session } from '../../../src/cli/remote/server-command.ts'
import { listenHttp } from '../../support/listen.ts'

/** The ids that are printed, where the server announces these newest ids and has these requests at each. */
async function printed(steps: readonly (readonly [newest: number, has: readonly number[]])[]) {
  const { origin } = await listenHttp(({ url = '' }, response) => {
    if (!url.endsWith('/events')) return response.destroy()
    const events = steps.map(([newest]) => JSON.stringify({ start: 'one', newest: { default: newest } }))
    return response
      .setHeader('Content-Type', 'text/event-stream')
      .end(events.map(event => `data: ${event}\n\n`).join(''))
  })
  const ids: number[] = []
  let has = steps[0]?.[1] ?? []
  const ask = async (_id: string, _filter: object, { after = 0 }: { after?: number }) => ({
    requests: has.filter(id => id > after).map(id => ({ sandbox: 'default', id })),
  })
  const stream = { write: () => true, on: () => undefined }
  let step = 0
  const session = {
    admin: `${origin}/__admin`,
    io: { stdout: stream, stderr: stream },
    values: {},
    ask,
  }
  const toLines = (requests: readonly { id: number }[]) => {
    ids.push(...requests.map(({ id }) => id))
    step += 1
    has = steps[step]?.[1] ?? has
    return []
  }
  // Only these parts of a session are read.
  await follow(session as unknown as Session, {}, 20, toLines, { pauseMs: 10, totalMs: 50 }).catch(() => {})
  return ids
}

test('prints a request once that a list has before its event comes', async () => {
  const all = [1, 2, 3, 4]
  expect(
    await printed([
      [1, all],
      [2, all],
      [3, all],
      [4, all],
      [5, [...all, 5]],
    ]),
  ).toEqual([...all, 5])
})

test('prints the requests of a sandbox that was dropped and made again', async () => {
  expect(
    await printed([
      [2, [1, 2]],
      [1, [1]],
      [3, [1, 2, 3]],
    ]),
  ).toEqual([1, 2, 1, 2, 3])
})
