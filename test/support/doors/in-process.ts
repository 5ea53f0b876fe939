import type { Emulator } from '../../../src/emulator/emulator.ts'
import type { Call } from '../../../src/service/call/call.ts'
import { faultName } from '../../../src/service/call/fault.ts'
import { brokenAs, type Door, type Way } from './door.ts'
import { complete } from './request.ts'

export const inProcess: Door = { name: 'in process', cannot: () => undefined, start: () => openInProcess }

async function openInProcess(emulator: Emulator): Promise<Way> {
  const host = '127.0.0.1:7387'
  return {
    host,
    send: async request => {
      const { method, target, headers, body } = complete(request)
      const sent = headers.some(([name]) => name.toLowerCase() === 'host')
        ? headers
        : [['Host', host], ...headers]
      const call: Call = {
        method,
        target,
        headers: sent.flat(),
        body: body === undefined ? undefined : body.length > 1_048_576 ? 'too-large' : body,
        scheme: 'http',
        client: '127.0.0.1',
        receivedAt: Date.now(),
      }
      const reply = emulator.handle(call)
      const fault = reply.fault && faultName(reply.fault)
      if (fault !== undefined && fault in brokenAs) throw new Error(brokenAs[fault])
      const lowered = Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value])
      return { status: reply.status, headers: Object.fromEntries(lowered), text: reply.body ?? '' }
    },
    close: async () => {},
  }
}
