import { type ReadonlySignal, signal } from '@preact/signals'
import { toPlaneError } from './live.ts'

export interface Notice {
  readonly id: number
  readonly tone: 'good' | 'bad' | 'plain'
  readonly text: string
}

/** Short messages that go by themselves, such as `copied`. */
export interface Notices {
  readonly all: ReadonlySignal<readonly Notice[]>
  readonly show: (text: string, tone?: Notice['tone']) => void
  readonly dismiss: (id: number) => void
}

const shownMs = 6_000
const most = 4

export function createNotices(): Notices {
  const all = signal<readonly Notice[]>([])
  let last = 0
  const dismiss = (id: number) => {
    all.value = all.value.filter(notice => notice.id !== id)
  }
  return {
    all,
    dismiss,
    show: (text, tone = 'plain') => {
      last += 1
      const id = last
      all.value = [...all.value, { id, tone, text }].slice(-most)
      setTimeout(() => dismiss(id), shownMs)
    },
  }
}

/** Does what a click asks for. Shows what came of it, or why the server refused. `done`: the message, if one is needed. */
export async function act(
  { notices }: { readonly notices: Notices },
  work: () => Promise<unknown>,
  done?: string,
): Promise<boolean> {
  try {
    await work()
    if (done !== undefined) notices.show(done, 'good')
    return true
  } catch (error) {
    notices.show(toPlaneError(error).message, 'bad')
    return false
  }
}

/** For buttons: does what a click asks for, and calls `then` once the server did it. */
export function acting(app: Parameters<typeof act>[0], then: () => void) {
  return (work: () => Promise<unknown>, done?: string) => async () => {
    if (await act(app, work, done)) then()
  }
}
