import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { App } from '../../app/app.ts'
import type { CallToCopy } from '../../copy/call.ts'
import { toPlaneError } from '../../state/live.ts'
import { type Sent, sendCall } from './send-call.ts'

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
      sent.value = await sendCall(app, call, { sandbox, signal: controller.signal })
    } catch (error) {
      if (!controller.signal.aborted) app.notices.show(toPlaneError(error).message, 'bad')
    } finally {
      if (current.current === controller) isSending.value = false
    }
  }
  return { isSending: isSending.value, send, stop }
}
