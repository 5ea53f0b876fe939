import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { describePlane } from '../../src/doors/admin/description/openapi.ts'
import { routeGroups } from '../../src/doors/admin/routes/routes.ts'
import { sendOverHttp } from './doors.ts'

export interface AdminReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Undefined where the text is none. */
  readonly json: Readonly<Record<string, never>> | undefined
}

/** Calls the admin plane: `POST /clock/advance`. What it answers must be as its own description says. */
export function adminOf(host: string) {
  return async (
    call: string,
    body?: string | object,
    headers: readonly (readonly [string, string])[] = [],
  ) => {
    const [method = '', path = ''] = call.split(' ')
    const type = typeof body === 'object' ? [['Content-Type', 'application/json'] as const] : []
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const reply = await sendOverHttp(host, {
      method,
      target: `/__admin${path}`,
      headers: [...type, ...headers],
      body: text === undefined ? undefined : new TextEncoder().encode(text),
    })
    const json = reply.headers['content-type'] === 'application/json' ? JSON.parse(reply.text) : undefined
    const shown = { ...reply, json }
    expectAsDescribed(method, path, shown)
    return shown
  }
}

const description = describePlane(routeGroups, '1.2.3')
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ ...description, $id: 'plane' })

function expectAsDescribed(method: string, target: string, { status, json }: AdminReply): void {
  const path = target.split('?')[0] ?? ''
  const [template = ''] = Object.keys(description.paths)
    .filter(known => new RegExp(`^${known.replace(/\{\w+\}/g, '[^/]+').replace('.', '\\.')}$`).test(path))
    .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
  const operation = description.paths[template]?.[method.toLowerCase()]
  if (operation === undefined || json === undefined) return
  expect(Object.keys(operation.responses), `${method} ${target}`).toContain(`${status}`)
  const pointer = [
    'paths',
    template,
    method.toLowerCase(),
    'responses',
    `${status}`,
    'content',
    'application/json',
    'schema',
  ]
  const escaped = pointer.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  const validate = ajv.getSchema(`plane#/${escaped.join('/')}`)
  if (validate === undefined) throw new Error(`${method} ${target} ${status} is not described`)
  expect(validate(json) ? [] : validate.errors, `${method} ${target}`).toEqual([])
}
