/*
 * A reader who knows the rows of one view and applies what a difference says knows those of the next one, in their order. Where rows have
 * no refs, the reader is told which one a changed row was before (a model infers it from the texts).
 */
#pragma once

#include "view/outline.h"

/* Fails the test unless that holds for the difference between these. */
void check_difference(const struct outline *old, struct outline *new);
