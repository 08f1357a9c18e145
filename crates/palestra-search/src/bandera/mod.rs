//! bandera
