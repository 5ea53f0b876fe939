import type { JsonObject } from '../../src/base/json/value.ts'
import { checkIds, checks } from '../../src/judges/conformance/checks.ts'
import { table } from '../program/table.ts'
import { entriesOf, listOf, resolve } from './contract-nodes.ts'
import { type Statement, specifiedResponses, statements } from './fidelity-statements.ts'

const intro = `# Conformance

What pet-mock emulates, assumes and leaves open: every operation, response, header and field of [openapi.yaml](../../openapi.yaml), every
statement of the specification, and every check of \`pet-mock check\`. \`npm run generate\` writes this page from them.

- **emulated**: the specification says it, and pet-mock does it.
- **assumed**: the specification leaves it open, and pet-mock follows the [assumption](../assumptions.md) with this id.
- **open**: neither says anything about it.

pet-mock's own tests run \`pet-mock check\` against it, and see every response listed here.`

const specified = new Map<string, readonly string[]>(Object.entries(specifiedResponses))

export function conformancePage(contract: JsonObject): string {
  const responses = operationsOf(contract).flatMap(operation =>
    entriesOf(contract, operation.node.responses).map(([status, response]) => ({
      operation,
      status,
      response,
    })),
  )
  return `${[
    intro,
    '## Operations',
    table(
      ['operation', 'call', ''],
      operationsOf(contract).map(({ id, call, node }) => [`\`${id}\``, `\`${call}\``, verdict(idsIn(node))]),
    ),
    '## Parameters',
    table(
      ['parameter', 'of', ''],
      operationsOf(contract).flatMap(({ id, node }) =>
        listOf(contract, node.parameters).map(parameter => [
          `\`${String(parameter.name)}\``,
          `\`${id}\``,
          verdict(idsIn(parameter)),
        ]),
      ),
    ),
    '## Responses',
    table(
      ['response', '', 'assumption about it'],
      responses.map(({ operation, status, response }) => {
        const ids = [...new Set([...idsIn(operation.node), ...idsIn(response)])]
        const own = specified.get(operation.id)?.includes(status) !== true
        return [`\`${operation.id}\` ${status}`, own ? verdict(ids) : 'emulated', own ? '' : ids.join(', ')]
      }),
    ),
    '## Headers',
    table(['header', 'on', '', 'assumption about it'], headerRows(contract, responses)),
    '## Fields',
    table(['field', '', 'assumption about it'], fieldRows(contract)),
    '## The specification',
    table(
      ['section', 'statement', '', 'checked by'],
      statements.map(({ section, says, verdict }) => [section, says, ...verdictCells(verdict)]),
    ),
    '## The checks of `pet-mock check`',
    table(
      ['check', 'requirement', 'source', ''],
      checkIds.map(id => {
        const { says, source, severity } = checks[id]
        const isAssumed = severity === 'info'
        const ids = source.match(/A\d\d/g) ?? []
        return [
          `\`${id}\``,
          says,
          isAssumed ? 'assumption' : source,
          isAssumed && ids.length === 0 ? 'assumed: see above' : verdict(ids),
        ]
      }),
    ),
  ].join('\n\n')}\n`
}

function verdict(ids: readonly string[]): string {
  return ids.length === 0 ? 'emulated' : `assumed: ${ids.join(', ')}`
}

function verdictCells(verdict: Statement['verdict']): readonly string[] {
  if ('checks' in verdict) return ['emulated', verdict.checks.map(id => `\`${id}\``).join(', ')]
  if ('assumed' in verdict) return [`assumed: ${verdict.assumed.join(', ')}`, '']
  return [`open: ${verdict.open}`, '']
}

interface Operation {
  readonly id: string
  readonly call: string
  readonly node: JsonObject
}

function operationsOf(contract: JsonObject): readonly Operation[] {
  return entriesOf(contract, contract.paths).flatMap(([path, item]) =>
    entriesOf(contract, item).map(([method, node]) => ({
      id: String(node.operationId),
      call: `${method.toUpperCase()} ${path}`,
      node,
    })),
  )
}

interface Response {
  readonly operation: Operation
  readonly status: string
  readonly response: JsonObject
}

function headerRows(contract: JsonObject, responses: readonly Response[]): readonly (readonly string[])[] {
  const rows = new Map<string, { on: string[]; node: JsonObject }>()
  for (const { operation, status, response } of responses) {
    for (const [name, node] of entriesOf(contract, response.headers)) {
      // Link has one meaning on a list and another one on an animal.
      const key = name === 'Link' ? `Link ${String(node.description)}` : name
      const row = rows.get(key) ?? { on: [], node }
      row.on.push(`${operation.id} ${status}`)
      rows.set(key, row)
    }
  }
  return [...rows].map(([key, { on, node }]) => {
    const schema = resolve(contract, node.schema)
    const where = on.length === responses.length ? 'every response' : on.join(', ')
    const inner = idsIn(schema).join(', ')
    return [`\`${key.split(' ')[0]}\``, where, verdict(idsIn(node)), inner]
  })
}

function fieldRows(contract: JsonObject): readonly (readonly string[])[] {
  const { schemas } = resolve(contract, contract.components)
  return entriesOf(contract, schemas).flatMap(([schema, node]) => {
    const parts = [node, ...listOf(contract, node.allOf)]
    const own = idsIn(node).length > 0 ? [[`${schema}`, verdict(idsIn(node)), '']] : []
    // Pet refers to NewPet, whose fields are listed once.
    const fields = parts
      .filter(part => schema !== 'Pet' || part.title !== 'NewPet')
      .flatMap(part => entriesOf(contract, part.properties))
    const names = new Map(fields)
    if (schema === 'Pet')
      for (const [name] of entriesOf(
        contract,
        resolve(contract, resolve(contract, schemas).NewPet).properties,
      ))
        names.delete(name)
    return [
      ...own,
      ...[...names].map(([name, field]) => [`${schema}.${name}`, 'emulated', idsIn(field).join(', ')]),
    ]
  })
}

function idsIn(node: JsonObject): readonly string[] {
  const ids = node['x-assumption']
  return ids === undefined ? [] : [ids].flat().map(String)
}
