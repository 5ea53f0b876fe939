import {
  type Loaded,
  type Loading,
  type LoadOptions,
  loadScenario,
  type ServeFlagValues,
} from './load-scenario.ts'

/** All that the flags ask for: the scenario, and what a contract of the user's adds to it. */
export async function loadSituation(flags: ServeFlagValues, options: LoadOptions): Promise<Loading<Loaded>> {
  const loading = await loadScenario(flags, options)
  const { openapi: path } = flags.values
  if (path === undefined) return loading
  const { loadOpenApi } = await import('./load-openapi.ts')
  const orders = loading.ok ? loading.value.scenario.orders : []
  const openapi = await loadOpenApi(path, flags.sources.openapi, { orders }, options.files)
  if (loading.ok && openapi.ok) return { ok: true, value: { ...loading.value, openapi: openapi.value } }
  return {
    ok: false,
    complaints: [loading, openapi].flatMap(one => (one.ok ? [] : one.complaints)),
  }
}
