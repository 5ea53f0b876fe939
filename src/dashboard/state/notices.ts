import { type ReadonlySignal, signal } from '@preact/signals'

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
