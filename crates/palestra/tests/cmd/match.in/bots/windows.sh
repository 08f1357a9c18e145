#!/bin/sh
echo ready
