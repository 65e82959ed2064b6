/**
 * @module Indexes of the bench content types. Articles are searched without one, stories with one.
 */

export const INDEXES = { 'api::article.article': [['rating:desc', 'title']] } as const;
export const SEARCH = ['api::story.story'] as const;
