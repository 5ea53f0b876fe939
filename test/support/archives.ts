import type { WantedCall } from '../../src/judges/replay/wanted-calls.ts'

/** A Monday morning, for recordings. */
export const monday = Date.parse('2026-03-02T08:00:00Z')

export interface ArchiveEntry {
  /** Milliseconds after `monday`, or any text. */
  readonly at?: number | string
  readonly url?: string
  readonly method?: string
  readonly status?: number
  readonly key?: string
  readonly next?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

/** An entry of an HTTP archive. */
export function archiveEntry({
  at = 0,
  url = '/v1/pets',
  method = 'GET',
  status = 200,
  key,
  next,
  fields,
}: ArchiveEntry) {
  const link = next === undefined ? [] : [{ name: 'Link', value: `<${next}>; rel="next"` }]
  return {
    startedDateTime: typeof at === 'string' ? at : new Date(monday + at).toISOString(),
    time: 20,
    request: {
      method,
      url: url.startsWith('/') ? `https://api.example${url}` : url,
      headers: key === undefined ? [] : [{ name: 'Authorization', value: `Bearer ${key}` }],
    },
    response: { status, headers: link, content: {} },
    ...fields,
  }
}

export function archive(entries: readonly unknown[]): string {
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } })
}

/** A recorded call, `at` milliseconds after `monday`. */
export function wantedCall(at: number, target = '/v1/pets', fields: Partial<WantedCall> = {}): WantedCall {
  return {
    at: monday + at,
    answeredAt: monday + at + 20,
    method: 'GET',
    target,
    body: 0,
    key: undefined,
    connection: undefined,
    sandbox: 'default',
    status: 200,
    wasRefused: false,
    next: undefined,
    ...fields,
  }
}
