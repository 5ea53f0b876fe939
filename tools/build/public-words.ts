import { readFileSync } from 'node:fs'
import { variableOf } from '../../src/cli/arguments/flag.ts'
import { handedVariables, instanceVariable, situationVariable } from '../../src/cli/arguments/server-flags.ts'
import { tools } from '../../src/cli/commands/mcp/tools.ts'
import { commands } from '../../src/cli/commands.ts'
import { exitCodes } from '../../src/cli/terminal/io.ts'
import type { Field, Shape } from '../../src/control/fields/field.ts'
import { fixtureShapes } from '../../src/control/fixtures/shapes.ts'
import { scenarioFile } from '../../src/control/scenario/settings/scenario-file.ts'
import { shippedScenarios } from '../../src/control/scenario/shipped.ts'
import { routeGroups } from '../../src/doors/admin/routes/routes.ts'
import { injectedFault } from '../../src/emulator/rules/rule.ts'
import { assumedId } from '../../src/judges/assumed/watch-assumed.ts'
import { conductIds } from '../../src/judges/conduct/checks.ts'
import { expectedCheck } from '../../src/judges/conduct/expected.ts'
import { checks } from '../../src/judges/conformance/checks.ts'
import { contractIds } from '../../src/judges/contract/contract-report.ts'
import { driftIds } from '../../src/judges/profile/drift.ts'
import { nothingMetId } from '../../src/judges/rehearsal/certificate.ts'
import { reasonIds } from '../../src/judges/rehearsal/reason.ts'
import { judgeFailedCheck, unjudgedCheck } from '../../src/judges/report/unjudged.ts'
import { searchChecks } from '../../src/judges/search/report.ts'
import { ownErrorCodes } from '../../src/library/client/pet-mock-error.ts'
import { problems } from '../../src/service/call/problems.ts'
import { withFullNames, withPart } from './docs-tables.ts'

/** Every public word, by its kind: version 1.0 promises each (docs/stability.md). */
export function publicWords(): ReadonlyMap<string, readonly string[]> {
  const named = withFullNames(commands)
  const flags = named.flatMap(({ flags }) => Object.entries(flags))
  const variables = flags.map(([name, flag]) => variableOf(name, flag))
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
  const entries = Object.entries<{ import?: { types: string } }>(exports)
  const metrics = readFileSync('src/doors/admin/routing/metric-families.ts', 'utf8').match(/pet_mock_\w+/g)
  const routes = routeGroups.flatMap(group => group.routes)
  const words: readonly (readonly [string, Iterable<string | number>])[] = [
    ['commands', named.map(({ name }) => name)],
    ['flags', flags.map(([name]) => `--${name}`)],
    ['variables', [...variables, ...Object.values(handedVariables), situationVariable, instanceVariable]],
    ['exit codes', Object.values(exitCodes)],
    ['shipped scenarios', shippedScenarios.keys()],
    ['fields of scenario files', fieldNames(scenarioFile)],
    ['fields of fixtures', Object.values(fixtureShapes).flatMap(shape => [...fieldNames(shape)])],
    ['routes of the admin plane', routes.map(({ method, path }) => `${method} ${path}`)],
    ['operations of the admin plane', routes.map(({ id }) => id)],
    ['findings about conduct', [...conductIds, expectedCheck.id, unjudgedCheck.id, judgeFailedCheck.id]],
    ['findings about the contract', contractIds],
    ['checks of the service', Object.keys(checks)],
    ['reasons of rehearsals', [...reasonIds, nothingMetId]],
    ['findings of other judges', [assumedId, ...driftIds, ...searchChecks.map(({ id }) => id)]],
    ['codes of errors', [...Object.keys(problems), injectedFault, ...ownErrorCodes]],
    ['tools of mcp', tools.map(({ name }) => name)],
    ['entries of the package', Object.keys(exports).map(name => name.replace(/^\./, 'pet-mock'))],
    ...entries.flatMap(([name, { import: entry }]) => {
      const source = entry?.types.replace('./dist/types/', 'src/').replace('.d.ts', '.ts')
      return source ? [[name.replace(/^\./, 'exports of pet-mock'), exportsOf(source)] as const] : []
    }),
    ['metrics', metrics ?? []],
    ['headers', ['Prefer', 'Preference-Applied', 'X-Call-Site', 'X-Pet-Mock']],
  ]
  return new Map(words.map(([kind, all]) => [kind, [...new Set(Array.from(all, String))].sort()]))
}

export function withPublicWords(page: string): string {
  // Markdown's own tables are padded to their widest cell.
  const rows = [...publicWords()].map(
    ([kind, words]) =>
      `<tr><th>${kind}</th><td>${words.map(word => `<code>${word}</code>`).join(' ')}</td></tr>`,
  )
  return withPart(page, 'public words', ['<table>', ...rows, '</table>'].join('\n'))
}

/** The names of all fields below a shape. A walkthrough may hold a scenario in turn. */
function fieldNames(shape: Shape, seen = new Set<unknown>(), names = new Set<string>()): ReadonlySet<string> {
  if (seen.has(shape)) return names
  seen.add(shape)
  const parts = shape as {
    readonly fields?: Record<string, Field>
    readonly each?: Shape
    readonly options?: object
  }
  for (const [name, field] of Object.entries(parts.fields ?? {})) {
    names.add(name)
    // The form of a snapshot is internal.
    if (name !== 'snapshot') fieldNames(field.shape, seen, names)
  }
  if (parts.each !== undefined) fieldNames(parts.each, seen, names)
  for (const option of Object.values(parts.options ?? {})) fieldNames(option, seen, names)
  for (const value of shape.type === 'chosen' ? [{ extra: true }, []] : [])
    fieldNames((shape as { choose: (value: unknown) => Shape }).choose(value), seen, names)
  return names
}

function exportsOf(file: string): readonly string[] {
  const words =
    /^export (?:(?:type )?\{([^}]*)\}|(?:async )?(?:const|function|interface|class|type) (\w+)|(default)\b)/gm
  return Array.from(readFileSync(file, 'utf8').matchAll(words), ([, list, own, main]) => list ?? own ?? main)
    .flatMap((names = '') => names.split(',').map(name => name.replace(/^\s*type\s/, '').trim()))
    .filter(Boolean)
}
