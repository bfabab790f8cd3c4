# Run by cpack on each tree before it is packed: what Debian wants of a package and `cmake --install`
# does not do.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# gzip -n: without the time, so that the same sources give the same package.
function(compress)
  run(gzip -9n ${ARGN})
endfunction()

function(finish tree package)
  set(doc "${tree}/usr/share/doc/${package}")

  file(GLOB binaries "${tree}/usr/bin/*")
  foreach(binary IN LISTS binaries)
    file(READ "${binary}" magic LIMIT 4 HEX)
    if(magic STREQUAL "7f454c46")
      run(strip --strip-unneeded --remove-section=.comment --remove-section=.note "${binary}")
    endif()
  endforeach()

  file(GLOB pages "${tree}/usr/share/man/man*/*")
  compress(${pages})

  # The copyright file names the license; changelog.gz is the project's, the other one the package's.
  file(REMOVE "${doc}/LICENSE")
  file(RENAME "${doc}/CHANGELOG.md" "${doc}/changelog")
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE "${doc}/changelog.Debian"
"dslap (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Built by deploy/package.sh; changelog.gz tells what has changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  compress("${doc}/changelog" "${doc}/changelog.Debian")

  set(overrides "${CPACK_DSLAP_DEBIAN}/${package}.lintian-overrides")
  if(EXISTS "${overrides}")
    file(MAKE_DIRECTORY "${tree}/usr/share/lintian/overrides")
    configure_file("${overrides}" "${tree}/usr/share/lintian/overrides/${package}" COPYONLY)
  endif()
  # Rights must not depend on the umask of who builds.
  run(chmod -R u=rwX,go=rX "${tree}")
endfunction()

finish("${CPACK_TEMPORARY_DIRECTORY}/controller" dslap)
finish("${CPACK_TEMPORARY_DIRECTORY}/agent" dslap-agent)
