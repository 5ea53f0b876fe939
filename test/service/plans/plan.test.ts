import { expect, it } from 'vitest'
import { planList, planTitle, specifiedPlans } from '../../../src/service/plans/plan.ts'

it('a sentence lists the plans that are shipped', () => {
  expect(planList).toBe('free, pro, business and enterprise')
})

it('the specification states the numbers of these plans', () => {
  expect(specifiedPlans).toEqual(['free', 'pro', 'business'])
})

it.each([
  ['free', 'Free'],
  ['enterprise', 'Enterprise'],
  ['partner', 'partner'],
  ['toString', 'toString'],
])('the plan %s is named %s in a sentence', (name, title) => {
  expect(planTitle(name)).toBe(title)
})
