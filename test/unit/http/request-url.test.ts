/**
 * @module The parts of the URL of a request.
 */
import { describe, expect, it } from 'vitest';
import { addressOf, lastSegment, segmentAsSent } from '../../../src/http/request-url.ts';

describe('the host', () => {
  it.each([
    ['http://localhost:8787', true, false],
    ['http://127.0.0.1', true, false],
    ['https://[::1]:8787', true, false],
    ['https://localhost.example.com', false, false],
    ['http://127.0.0.10', false, false],
    ['http://project.test', false, true],
    ['https://edgewise.test', false, false],
  ])('of %s is that of a developer: %s, of the tests of a project: %s', (origin, isLocal, isTest) => {
    const isHttps = origin.startsWith('https:');
    const address = addressOf(new Request(`${origin}/api/tags?sort=name`));
    expect(address).toEqual({ pathname: '/api/tags', search: '?sort=name', isLocal, isTest, isHttps });
  });
});

it.each([
  ['/', ''],
  ['/a', 'a'],
  ['/api/upload/files/A.png', 'A.png'],
  ['/api/upload/files/A.png/', 'A.png'],
  ['/api/a%2Fb', 'a%2Fb'],
])('the last segment of %s is %j', (path, segment) => {
  expect(lastSegment(new Request(`http://edgewise.test${path}`))).toBe(segment);
});

it.each([
  ['/api/users/ABC', 'abc', 'users', 'ABC'],
  ['/api/Users/%41BC', 'abc', 'users', 'ABC'],
  ['/api/users/USERS', 'users', 'users', 'USERS'],
  ['/api/upload/FILES/files/Files/x', 'files', 'files', 'files'],
  ['/api/Abc/users/aBC', 'abc', 'users', 'aBC'],
  ['/api/users/%ZZ', '%zz', 'users', '%ZZ'],
  ['/api/users', 'abc', 'users', 'abc'],
  ['/ABC', 'abc', 'users', 'abc'],
])('in %s, %s behind %s was sent as %s', (path, segment, before, sent) => {
  expect(segmentAsSent(new Request(`http://edgewise.test${path}`), segment, before)).toBe(sent);
});
