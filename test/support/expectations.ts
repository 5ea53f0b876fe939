import { expect } from 'vitest'
import type { TestReply } from './doors.ts'

export const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const

/** The Error shape of the specification: exactly code, message and status, with the status that was sent. */
export function expectProblem(reply: TestReply, status: number, code: string): string {
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status })
  const body = JSON.parse(reply.text)
  expect(Object.keys(body)).toEqual(['code', 'message', 'status'])
  expect(body).toMatchObject({ code, status })
  expect(reply.headers['content-type']).toBe('application/json')
  expect(reply.headers['content-length']).toBe(`${Buffer.byteLength(reply.text)}`)
  expect(body.message).toMatch(/^[^\n]{10,600}[.]$/)
  return body.message
}

/** The three headers, as integers. */
export function readLimits(reply: TestReply): { limit: number; remaining: number; reset: number } {
  const [limit = Number.NaN, remaining = Number.NaN, reset = Number.NaN] = limitHeaders.map(name => {
    expect(reply.headers[name]).toMatch(/^\d+$/)
    return Number(reply.headers[name])
  })
  return { limit, remaining, reset }
}

/** `Retry-After`, which must name the same instant as `X-RateLimit-Reset` does (A08). */
export function readRetryAfter(reply: TestReply): number {
  expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  const wait = Number(reply.headers['retry-after'])
  expect(Math.floor(Date.parse(reply.headers.date ?? '') / 1_000) + wait).toBe(readLimits(reply).reset)
  return wait
}
