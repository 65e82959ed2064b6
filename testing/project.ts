/**
 * @module The tests of a project, made from its content types: everything is valid, and each type does over HTTP what a
 * content type does. They run in workerd, against the Worker as it is deployed, with the project's settings and migrations.
 */
import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildRegistry, type SchemaFiles, TRUSTED } from '../src/schema/build.ts';
import type { Registry } from '../src/schema/model.ts';
import { parseSettings } from '../src/schema/settings/config.ts';
import { type Client, openClient } from './client.ts';
import { type TestDocuments, testDocuments } from './documents.ts';
import type { TestModel } from './gaps.ts';
import type { ProjectState } from './node-side.ts';
import { testType } from './type-tests.ts';
import { testUsers } from './user-tests.ts';

export interface ProjectSources {
  /** The content types, as `npx edgewise generate` bundles them. */
  readonly files: SchemaFiles;
  /** The settings, with or without defaults; `edgewise build` writes them beside the content types. */
  readonly settings: object;
}

/** A project with its tables: what a test of one's own begins with. */
export interface Project extends Client, TestDocuments {
  readonly registry: Registry;
}

function modelOf({ files, settings }: ProjectSources): TestModel {
  return { registry: buildRegistry(files, TRUSTED), settings: parseSettings(settings) };
}

/** vitest.config.ts makes the binding. */
async function askNode(): Promise<ProjectState> {
  const { EDGEWISE_PROJECT } = env as Env & { readonly EDGEWISE_PROJECT: Fetcher };
  return (await EDGEWISE_PROJECT.fetch('http://node')).json();
}

/** Applies the migrations to the database of the test file, and creates a token that may do everything. */
export async function openProject(sources: ProjectSources): Promise<Project> {
  const model = modelOf(sources);
  await applyD1Migrations(env.DB, (await askNode()).migrations);
  const client = await openClient();
  return { registry: model.registry, ...client, ...testDocuments(model, client) };
}

/** Fails with the whole text: a comparison would show its beginning. */
function expectNone(problem: string | null): void {
  if (problem !== null) expect.fail(problem);
}

/** Registers the tests of a project. */
export function testProject(sources: ProjectSources): void {
  const model = modelOf(sources);
  const types = new Set([...model.registry.routes.values()]);
  let state: ProjectState;
  let project: Project;
  beforeAll(async () => {
    state = await askNode();
  });

  describe('the project', () => {
    it('has content types without mistakes', () => {
      expectNone(state.problems.contentTypes);
    });

    it('has settings without mistakes', () => {
      expectNone(state.problems.settings);
    });

    it('has generated files that are up to date', () => {
      expectNone(state.problems.generated);
    });
  });

  describe('over HTTP', () => {
    beforeAll(async () => {
      project = await openProject(sources);
    });

    it('responds to a request with a token', async () => {
      expect((await project.fetch('/api/users/count')).status).toBe(200);
    });

    for (const type of types) testType(type, model, () => project);
    if (sources.files.user) testUsers(model, () => project);
  });
}
