import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/emulator.ts'
import { loadAreas } from '../../src/library/files/load-contract.ts'
import { Unreadable } from '../../src/library/files/read-file.ts'
import type { OpenLateDoor } from './late-doors.ts'
import { noon, scenarioOf } from './scenarios.ts'

/** A contract that only adds to the service: a collection, what is none, and a change of a pet. */
export const toys = `openapi: 3.0.3
info: { title: Toys, version: 1.0.0 }
paths:
  /toys:
    get:
      operationId: listToys
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 3 } }
        - { name: color, in: query, schema: { $ref: "#/components/schemas/Color" } }
        - { name: makerId, in: query, schema: { type: integer, format: int64 } }
        - { name: tags, in: query, schema: { type: string } }
        - { name: sort, in: query, schema: { type: string } }
      responses:
        "200":
          description: Toys.
          content:
            application/json:
              schema: { type: array, items: { $ref: "#/components/schemas/Toy" } }
              example:
                - { id: 7, name: Ball, color: blue, madeAt: "2026-01-01T00:00:00Z", tags: [round, small] }
                - { id: 9223372036854775807, name: Bone, color: red, madeAt: "2026-01-01T00:00:00Z" }
    post:
      operationId: createToy
      requestBody: { $ref: "#/components/requestBodies/Toy" }
      responses:
        "201": { description: The toy., content: { application/json: { schema: { $ref: "#/components/schemas/Toy" } } } }
  /toys/{toyId}:
    parameters:
      - { name: toyId, in: path, required: true, schema: { type: integer, format: int64 } }
    get:
      operationId: getToy
      responses:
        "200": { description: The toy., content: { application/json: { schema: { $ref: "#/components/schemas/Toy" } } } }
    put:
      operationId: replaceToy
      requestBody: { $ref: "#/components/requestBodies/Toy" }
      responses:
        "200": { description: The toy., content: { application/json: { schema: { $ref: "#/components/schemas/Toy" } } } }
    patch:
      operationId: changeToy
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses:
        "200": { description: The toy., content: { application/json: { schema: { $ref: "#/components/schemas/Toy" } } } }
    delete:
      operationId: deleteToy
      responses: { "204": { description: It is gone. } }
  /weather:
    get:
      operationId: getWeather
      x-stability: beta
      parameters: [{ name: days, in: query, schema: { type: integer, maximum: 5 } }]
      responses:
        "200":
          description: The weather.
          headers: { X-Station: { schema: { type: string, example: Berlin } } }
          content:
            application/json:
              schema:
                type: object
                required: [city, wind, degrees, at, station]
                properties:
                  city: { type: string, example: Bonn }
                  wind: { type: string, pattern: "^[NSEW]{1,2}$" }
                  degrees: { type: integer, minimum: -20, maximum: 40 }
                  at: { type: string, format: date-time }
                  station: { type: string, x-faker: address.city }
  /motto:
    get:
      responses: { "200": { description: A text., content: { text/plain: { example: Adopt! } } } }
  /numbers:
    get:
      responses:
        "200": { description: Numbers., content: { application/json: { example: { largest: 9223372036854775807 } } } }
  /pets/{petId}:
    put:
      operationId: replacePet
      parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name] } } } }
      responses: { "202": { description: It will be. } }
  /pets/search:
    get:
      responses:
        "200":
          description: Found.
          content: { application/json: { examples: { none: { value: [] }, one: { value: [{ id: 1 }] } } } }
components:
  requestBodies:
    Toy: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/NewToy" } } } }
  schemas:
    Color: { type: string, enum: [red, blue] }
    NewToy:
      type: object
      required: [name]
      properties:
        name: { type: string, minLength: 1 }
        color: { allOf: [{ $ref: "#/components/schemas/Color" }], default: red }
        makerId: { type: integer, format: int64 }
        tags: { type: array, items: { type: string } }
        secret: { type: string, writeOnly: true }
    Toy:
      allOf:
        - $ref: "#/components/schemas/NewToy"
        - type: object
          required: [id, madeAt]
          properties:
            id: { type: integer, format: int64, readOnly: true }
            madeAt: { type: string, format: date-time, readOnly: true }
`

/** The open areas of a contract's texts, the first of which is the one that is asked for. */
export async function areasOf(texts: Readonly<Record<string, string>>) {
  const [path = ''] = Object.keys(texts)
  return loadAreas(path, async name => {
    const text = texts[name]
    if (text === undefined) throw new Unreadable('no such file')
    return text
  })
}

export type CallToys = (
  method: string,
  target: string,
  body?: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>

export interface OpenToys {
  readonly emulator: Emulator
  readonly call: CallToys
  readonly close: () => Promise<void>
}

/** An emulator that serves a contract, behind a door. */
export async function openToys(
  open: OpenLateDoor,
  text = toys,
  options: Partial<EmulatorOptions> = {},
): Promise<OpenToys> {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: noon, ...options })
  const loading = await areasOf({ 'toys.yaml': text })
  if (!loading.ok) throw new Error(loading.complaints.join('\n'))
  emulator.openAreas(loading.value.areas)
  const { send, url, close } = await open(emulator)
  const call: CallToys = async (method, target, body, headers = {}) => {
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await send(`${url}${target}`, {
      method,
      headers: { Authorization: 'Bearer demo-pro', ...json, ...headers },
      ...(body !== undefined && { body }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return { emulator, call, close }
}
