import { describe, expect, it, onTestFinished } from 'vitest'
import { lateDoors } from '../../support/late-doors.ts'
import { areasOf, openToys } from '../../support/toys.ts'

const shop =
  '{ type: object, required: [slug], properties: { slug: { type: string }, id: { type: string }, name: { type: string } } }'
const item =
  '{ type: object, required: [item_id], properties: { item_id: { type: integer }, shopSlug: { type: string }, name: { type: string } } }'
const json = (schema: string, example = '') =>
  `content: { application/json: { schema: ${schema}${example} } }`
const body =
  'requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { name: { type: string }, slug: { type: string } } } } } }'

const box =
  '{ type: object, required: [id, weight], properties: { id: { type: integer }, name: { type: string }, weight: { type: integer, example: 7 } } }'

/** A list in an envelope, ids that are not called `id`, a path below a collection, and one that has only errors. */
const contract = `openapi: 3.0.3
info: { title: Shops, version: 1.0.0 }
paths:
  /shops:
    get:
      responses:
        "200":
          description: Shops.
          ${json(
            `{ type: object, required: [data, meta, subtotal], properties: { total: { type: integer }, subtotal: { type: integer }, meta: { type: string, example: m }, data: { type: array, items: ${shop} } } }`,
            ', example: { data: [{ slug: north, id: "1" }, { slug: south, id: "2" }], total: 2, subtotal: 9, meta: m }',
          )}
    post:
      ${body}
      responses: { "201": { description: It., ${json(shop)} } }
  /shops/{slug}:
    parameters: [{ name: slug, in: path, required: true, schema: { type: string } }]
    get: { responses: { "200": { description: It., ${json(shop)} } } }
    delete: { responses: { "204": { description: Gone. } } }
  /shops/{shopSlug}/items:
    parameters: [{ name: shopSlug, in: path, required: true, schema: { type: string } }]
    get:
      responses:
        "200":
          description: Items.
          ${json(
            `{ type: object, properties: { items: { type: array, items: ${item} } } }`,
            ', example: { items: [{ item_id: 1, shopSlug: north, name: Ball }, { item_id: 2, shopSlug: south, name: Bone }] }',
          )}
    post:
      ${body}
      responses: { "201": { description: It., ${json(item)} } }
  /shops/{shopSlug}/items/{itemId}:
    parameters:
      - { name: shopSlug, in: path, required: true, schema: { type: string } }
      - { name: itemId, in: path, required: true, schema: { type: integer } }
    get: { responses: { "200": { description: It., ${json(item)} } } }
  /boxes:
    get:
      responses:
        "200":
          description: Boxes.
          ${json(`{ type: object, properties: { data: { type: array, items: ${box} } } }`)}
    post:
      ${body}
      responses: { "201": { description: It., ${json(`{ type: object, properties: { data: ${box} } }`)} } }
  /boxes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { "200": { description: It., ${json(`{ type: object, properties: { data: ${box} } }`)} } } }
  /orders2:
    post: { responses: { "405": { description: Invalid input }, "409": { description: No } } }
`

describe.each(lateDoors)('other forms of collections, %s', (_name, door) => {
  const open = async () => {
    const opened = await openToys(door, contract)
    onTestFinished(opened.close)
    const ask = async (method: string, target: string, sent?: string) => {
      const { status, text } = await opened.call(method, `/v1${target}`, sent)
      return [status, text === '' ? undefined : JSON.parse(text)]
    }
    const reload = async (text: string) => {
      const loading = await areasOf({ 'toys.yaml': text })
      if (!loading.ok) throw new Error(loading.complaints.join('\n'))
      opened.emulator.openAreas(loading.value.areas)
    }
    return { ask, reload }
  }

  it('a list in an envelope', async () => {
    const { ask } = await open()
    const [north, south] = [
      { slug: 'north', id: '1' },
      { slug: 'south', id: '2' },
    ]
    expect(await ask('GET', '/shops')).toEqual([
      200,
      { data: [north, south], total: 2, subtotal: 9, meta: 'm' },
    ])
    expect(await ask('DELETE', '/shops/north')).toEqual([204, undefined])
    expect(await ask('GET', '/shops')).toEqual([200, { data: [south], total: 1, subtotal: 9, meta: 'm' }])
  })

  it('an id that is named like the parameter of the path', async () => {
    const { ask } = await open()
    expect(await ask('GET', '/shops/south')).toEqual([200, { slug: 'south', id: '2' }])
    expect(await ask('POST', '/shops', '{"slug":"west","name":"W"}')).toEqual([
      201,
      { slug: 'west', name: 'W' },
    ])
    expect(await ask('GET', '/shops/west')).toEqual([200, { slug: 'west', name: 'W' }])
    expect(await ask('POST', '/shops', '{"slug":"west","name":"Again"}')).toMatchObject([
      400,
      { message: expect.stringContaining('slug "west" is already taken') },
    ])
  })

  it('a list below another record is its example', async () => {
    const { ask } = await open()
    const ball = { item_id: 1, shopSlug: 'north', name: 'Ball' }
    const bone = { item_id: 2, shopSlug: 'south', name: 'Bone' }
    expect(await ask('GET', '/shops/north/items')).toEqual([200, { items: [ball, bone] }])
    expect(await ask('POST', '/shops/north/items', '{"name":"Rope"}')).toMatchObject([201, {}])
    expect(await ask('GET', '/shops/north/items')).toEqual([200, { items: [ball, bone] }])
  })

  it('single objects in an envelope are records of the list', async () => {
    const { ask } = await open()
    const box = { id: 1, name: 'Big', weight: 7 }
    expect(await ask('POST', '/boxes', '{"name":"Big"}')).toEqual([201, { data: box }])
    expect(await ask('GET', '/boxes/1')).toEqual([200, { data: box }])
    expect(await ask('GET', '/boxes')).toEqual([200, { data: [box] }])
  })

  it('new ids have the type that a newer contract says, and go on where the older ones ended', async () => {
    const { ask, reload } = await open()
    const text = contract.replaceAll(
      'properties: { id: { type: integer }',
      'properties: { id: { type: string }',
    )
    await ask('POST', '/boxes', '{"name":"Big"}')
    await reload(text)
    expect(await ask('POST', '/boxes', '{"name":"Small"}')).toMatchObject([201, { data: { id: '2' } }])
    expect(await ask('GET', '/boxes')).toMatchObject([200, { data: [{ id: 1 }, { id: '2' }] }])
  })

  it('an operation that documents only errors answers its first one', async () => {
    const { ask } = await open()
    expect(await ask('POST', '/orders2')).toEqual([
      405,
      { code: 'method_not_allowed', message: expect.stringMatching(/documents only errors/), status: 405 },
    ])
  })
})
